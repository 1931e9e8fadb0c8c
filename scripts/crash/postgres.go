package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/scripts/harness"
)

// pgDatabase is a database that the command makes on a PostgreSQL server.
type pgDatabase struct {
	server string // dsn of the server
	dsn    string
	name   string
}

// newDatabase makes a database. dsn is a URL.
func newDatabase(ctx context.Context, dsn string) (*pgDatabase, error) {
	name := fmt.Sprintf("slotway_crash_%d_%d", os.Getpid(), time.Now().UnixNano()%1e9)
	u, err := postgresURL(dsn)
	if err != nil {
		return nil, err
	}
	u.Path = "/" + name
	d := &pgDatabase{server: dsn, dsn: u.String(), name: name}
	return d, harness.Execute(ctx, d.server, "CREATE DATABASE "+d.name)
}

// postgresURL parses a dsn. Its errors never quote the dsn, which may hold a password.
func postgresURL(dsn string) (*url.URL, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("-dsn is not a URL such as postgres://user@host:5432/name")
	}
	return u, nil
}

// drop removes the database and ends its connections.
func (d *pgDatabase) drop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return harness.Execute(ctx, d.server, "DROP DATABASE IF EXISTS "+d.name+" WITH (FORCE)")
}

// address returns the address of the server.
func (d *pgDatabase) address() (string, error) {
	config, err := pgx.ParseConfig(d.dsn)
	if err != nil {
		return "", errors.New("-dsn cannot be read")
	}
	return net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))), nil
}

// by returns the dsn of the database over another address.
func (d *pgDatabase) by(addr string) (string, error) {
	u, err := postgresURL(d.dsn)
	if err != nil {
		return "", err
	}
	u.Host = addr
	return u.String(), nil
}

func (d *pgDatabase) open(ctx context.Context) (memory.Backend, error) {
	return postgres.Open(ctx, d.dsn, nil)
}

func (d *pgDatabase) jobs(ctx context.Context) (waiting, killed, failed int, err error) {
	c, err := pgx.Connect(ctx, d.dsn)
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	rows, err := c.Query(ctx, countJobs)
	if err != nil {
		return 0, 0, 0, err
	}
	defer rows.Close()
	var t jobCount
	for rows.Next() {
		if err := t.row(rows.Scan); err != nil {
			return 0, 0, 0, err
		}
	}
	return t.waiting, t.killed, t.failed, rows.Err()
}
