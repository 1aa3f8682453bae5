// Package performer holds what the performers of outside calls below it share:
// the templates that a deployment compiled, what they see, and what a failure
// of the other side means.
//
// A performer gets its templates compiled, so it knows no expression language.
// It hands every outcome through [Clean] before it leaves, so that no secret
// that a template looked up comes back in a record.
package performer
