//go:build !unix

package durably

import "time"

// Cluster is a Postgres of its own, which there is on Unix only.
type Cluster struct{ URL string }

// StartCluster returns [ErrNoPostgres].
func StartCluster(string) (*Cluster, error) { return nil, ErrNoPostgres }

// CPU is nothing.
func (c *Cluster) CPU() time.Duration { return 0 }

// Stop does nothing.
func (c *Cluster) Stop() error { return nil }
