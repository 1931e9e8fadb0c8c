package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/slotway/slotway/scripts/harness"
)

// cluster is the command's own PostgreSQL server. Its commits are on the disk.
type cluster struct {
	*harness.Postgres
	dir string
}

// durable are settings that make commits durable. Checkpoints come often, so that recovery starts
// from different places.
var durable = []string{"fsync=on", "synchronous_commit=on", "full_page_writes=on", "restart_after_crash=on", "checkpoint_timeout=30s"}

// newCluster makes a server in a temporary folder and starts it.
func newCluster(ctx context.Context) (*cluster, error) {
	dir, err := os.MkdirTemp("", "slotway-crash-postgres-")
	if err != nil {
		return nil, err
	}
	server, err := harness.NewPostgres(filepath.Join(dir, "data"), durable...)
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	c := &cluster{server, dir}
	if err = c.Initialise(ctx); err == nil {
		err = c.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// remove kills the server and removes its folder.
func (c *cluster) remove() error {
	c.Kill()
	return os.RemoveAll(c.dir)
}
