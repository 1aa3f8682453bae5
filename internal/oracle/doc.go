// Package oracle is a second, slow, obvious interpreter of statecharts: the
// algorithm of W3C SCXML's Appendix D over sets of linked states, written to
// be read next to its pseudo-code. It shares only the data types of package
// statechart with the product and is what the product is compared with on
// random charts. Functions that are named as in Appendix D do what is said
// there; where the project's rules depart from it, a comment names the rule
// (R1 to R34 of the semantics).
package oracle
