// Package http makes outside calls over HTTP.
//
// The address is looked up once and checked where the connection is made, so
// that no name, no spelling of an address and no redirect leads to a machine
// that is not public and was not allowed. What an answer means is stated: a
// connection that was never made and a 4xx were not executed; after a 5xx, a
// time-out or a connection lost after sending nobody knows, unless the tool's
// errors say otherwise.
//
// A call sends its request once: connections are not used again, and nothing
// is sent again underneath.
package http
