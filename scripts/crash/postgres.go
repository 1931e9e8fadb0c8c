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
)

// pgDatabase is a database of its own on a PostgreSQL server.
type pgDatabase struct {
	server string // the dsn that it was made by
	dsn    string
	name   string
}

// newDatabase makes one. dsn is a URL.
func newDatabase(ctx context.Context, dsn string) (*pgDatabase, error) {
	name := fmt.Sprintf("slotway_crash_%d_%d", os.Getpid(), time.Now().UnixNano()%1e9)
	u, err := postgresURL(dsn)
	if err != nil {
		return nil, err
	}
	u.Path = "/" + name
	d := &pgDatabase{server: dsn, dsn: u.String(), name: name}
	return d, d.order(ctx, "CREATE DATABASE "+d.name)
}

// postgresURL reads a dsn, of which the errors never quote anything.
func postgresURL(dsn string) (*url.URL, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("-dsn is not a URL such as postgres://user@host:5432/name")
	}
	return u, nil
}

func (d *pgDatabase) order(ctx context.Context, text string) (err error) {
	c, err := pgx.Connect(ctx, d.server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	_, err = c.Exec(ctx, text)
	return err
}

// drop removes it, whoever still uses it.
func (d *pgDatabase) drop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return d.order(ctx, "DROP DATABASE IF EXISTS "+d.name+" WITH (FORCE)")
}

// address is where the server listens.
func (d *pgDatabase) address() (string, error) {
	config, err := pgx.ParseConfig(d.dsn)
	if err != nil {
		return "", errors.New("-dsn cannot be read")
	}
	return net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))), nil
}

// by is the dsn that leads to the same database by way of another address.
func (d *pgDatabase) by(addr string) (string, error) {
	u, err := postgresURL(d.dsn)
	if err != nil {
		return "", err
	}
	u.Host = addr
	return u.String(), nil
}

func (d *pgDatabase) open(ctx context.Context) (memory.Backend, error) {
	return postgres.Open(ctx, d.dsn, &postgres.Options{Deaf: true})
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
