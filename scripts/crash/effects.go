package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver named sqlite

	"github.com/slotway/slotway/scripts/harness"
)

// newShop makes a service of the default agent, with orders for each client.
func newShop(dir, binary string, clients int) *service {
	s := &service{name: "shop", agent: "shop", binary: binary, dir: filepath.Join(dir, "shop"), clients: clients, script: newShopper}
	s.database = sqliteFile(s.path())
	s.prepare = func(ctx context.Context) error { return fillShop(ctx, filepath.Join(s.dir, "shop.db"), clients) }
	s.effects = func(ctx context.Context) (map[string]int, error) {
		return shopEffects(ctx, filepath.Join(s.dir, "shop.db"))
	}
	return s
}

// newLedger makes a service of the agent that keeps a ledger.
func newLedger(dir, binary string, clients int, f faults) *service {
	s := &service{name: "ledger", agent: harness.Ledger, binary: binary, dir: filepath.Join(dir, "ledger"), clients: clients, script: newBooker}
	s.database = sqliteFile(s.path())
	ledger := filepath.Join(dir, "ledger.txt")
	s.args = []string{"--agent", s.agentFile()}
	own, err := os.Executable()
	tools, noTools := newToolService(dir, f.tools)
	s.env, s.tools = []string{"CRASH_TOOL=" + own, "CRASH_LEDGER=" + ledger}, tools
	if tools != nil {
		s.env = append(s.env, "CRASH_TOOLS=http://"+tools.addr)
	}
	s.before = func() error { return errors.Join(err, noTools, s.writeAgent()) }
	s.happened = func() (*entries, error) { return s.readBooks(ledger) }
	return s
}

// readBooks reads the ledger and the records of the tool service.
func (s *service) readBooks(ledger string) (*entries, error) {
	s.tools.close() // late effects have come by now
	booked, err := s.tools.read()
	if err != nil {
		return nil, err
	}
	appended, err := ledgerEffects(ledger)
	if err != nil {
		return nil, err
	}
	maps.Copy(booked.effects, appended)
	for fault, n := range booked.faults {
		s.harms[fault] += n
	}
	return booked, nil
}

// appendEntry is the ledger's write tool. It appends a line after a random pause and ignores
// idempotency keys.
func appendEntry(out io.Writer, path, entry string) int {
	dawdle()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s %d\n", entry, time.Now().UnixNano()) // one write, so that lines of several processes do not mix
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dawdle()
	fmt.Fprintln(out, `{"ok": true}`)
	return 0
}

// ledgerEffects reads the entries of the ledger and when each was appended.
func ledgerEffects(path string) (map[string][]int64, error) {
	text, err := os.ReadFile(path)
	all := map[string][]int64{}
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var entry string
		var at int64
		if _, err := fmt.Sscan(line, &entry, &at); err != nil {
			return nil, fmt.Errorf("the ledger has a line that is not one: %w", err)
		}
		all[entry] = append(all[entry], at)
	}
	return all, nil
}

// audit records every new address of an order, which the demo shop's events do not.
const audit = `
CREATE TABLE audit (address TEXT NOT NULL);
CREATE TRIGGER audit_address AFTER UPDATE OF address ON orders BEGIN INSERT INTO audit VALUES (new.address); END;`

const insertOrder = `INSERT INTO orders (id, email, zip, item, status, eta, address, total)
	VALUES (?, 'crash@example.com', '60613', 'garden chair', ?, 'Friday', '1 First Street, Lakeview 60613', 10)`

// fillShop gives every client its orders.
func fillShop(ctx context.Context, path string, clients int) (err error) {
	db, err := openShop(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, audit); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, insertOrder)
	if err != nil {
		return err
	}
	defer insert.Close()
	for c := range clients {
		for n := range perClient {
			status := "pending"
			if n >= cancellable && n < cancellable+returnable {
				status = "delivered"
			}
			if _, err := insert.ExecContext(ctx, orderID(c, n), status); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

func openShop(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(20000)&_txlock=immediate")
}

const selectEffects = `
SELECT CASE WHEN event LIKE '%-> cancelled' THEN 'cancel ' ELSE 'return ' END || order_id FROM order_events WHERE event LIKE 'status %'
UNION ALL SELECT 'address ' || address FROM audit`

// shopEffects counts the changes to the orders by key.
func shopEffects(ctx context.Context, path string) (map[string]int, error) {
	n := map[string]int{}
	return n, query(ctx, path, selectEffects, func(scan func(...any) error) error {
		var key string
		err := scan(&key)
		n[key]++
		return err
	})
}
