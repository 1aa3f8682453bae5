// Package deployment reads the deployment file, detent.yaml: which store there
// is, which tools and models a chart may call, how they are called, and with
// which secrets. A chart says what is called; this says how and whether.
//
// Secrets stand in the file as references, env:NAME or file:PATH, which are
// looked up when a call needs them and are never stored.
package deployment
