// Package crash ends real processes at every named place and sees, from the
// store's file and from the tool's own record alone, that nothing was lost,
// done twice or done in part.
package crash
