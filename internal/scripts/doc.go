// Package scripts plays random scripts on random charts, on the engine with
// each of its stores and on an interpreter that is as naive as can be, and
// compares what both wrote down.
package scripts
