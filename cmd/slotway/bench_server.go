package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// databaseServer is the process of a PostgreSQL server whose children serve its connections; 0 where
// it is not on this machine, or not visible.
type databaseServer int

// userHz is what proc(5) counts CPU time in, on every Linux that Go runs on: hundredths of a second.
const userHz = 100

// findServer asks a database which process serves the connection; its parent is the server.
func findServer(ctx context.Context, dsn string) databaseServer {
	if dsn == "" {
		return 0
	}
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return 0
	}
	defer func() { _ = c.Close(ctx) }() // nothing is lost with it
	var pid, parent int
	if err := c.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
		return 0
	}
	// A server elsewhere has numbers of its own, which may be those of other programs here.
	if name, fields := processStat(strconv.Itoa(pid)); name == "postgres" {
		parent, _ = strconv.Atoi(fields[1])
	}
	if name, _ := processStat(strconv.Itoa(parent)); name != "postgres" {
		return 0
	}
	return databaseServer(parent)
}

// cpu is the time that the server has used of all processors, for whomever: its processes, and the
// ended ones among its children.
func (s databaseServer) cpu() time.Duration {
	if s == 0 {
		return 0
	}
	own := strconv.Itoa(int(s))
	ticks := int64(0)
	all, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range all {
		pid := filepath.Base(dir)
		_, fields := processStat(pid)
		if len(fields) < 15 || pid != own && fields[1] != own {
			continue
		}
		counted := fields[11:13] // user and system time
		if pid == own {
			counted = fields[11:15] // and those of children that have ended
		}
		for _, f := range counted {
			n, _ := strconv.ParseInt(f, 10, 64) // the system writes numbers
			ticks += n
		}
	}
	return time.Duration(ticks) * time.Second / userHz
}

// processStat reads the name of a process and what proc(5) tells after it, from the state on.
func processStat(pid string) (name string, fields []string) {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	begin, end := strings.IndexByte(string(text), '('), strings.LastIndexByte(string(text), ')')
	if err != nil || begin < 0 || end < begin {
		return "", nil
	}
	return string(text[begin+1 : end]), strings.Fields(string(text[end+1:]))
}
