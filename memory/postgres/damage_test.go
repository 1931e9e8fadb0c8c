package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
	"github.com/slotway/slotway/memory/transfer"
)

// damaged is a store with one session of everything.
func damaged(t *testing.T) (*sqlstore.Store, string, memory.Key) {
	t.Helper()
	dsn := newSchema(t)
	s := open(t, dsn, nil)
	key := testKey(0)
	talk(t, s, key, 3)
	ctx := context.Background()
	if err := s.Start(ctx, key, 3, memory.Step{IdempotencyKey: "k", Tool: "pay", Args: []byte(`{"a":1}`), StartedAt: noon}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.PutViews(ctx, []memory.View{{Key: key, Tier: "summary", ID: "a", UpTo: 2, At: noon, Data: []byte("data")}}); n != 1 || err != nil {
		t.Fatalf("PutViews = %d, %v", n, err)
	}
	if err := s.Describe(ctx, key, memory.About{Title: "title", Tags: []string{"tag"}}); err != nil {
		t.Fatal(err)
	}
	return s, dsn, key
}

// reads are all ways to read a session.
func reads(s *sqlstore.Store, key memory.Key) map[string]error {
	ctx := context.Background()
	all := map[string]error{}
	unless := func(isWhole bool, err error) error { // what lacks something says so
		if err == nil && !isWhole {
			return memory.ErrCorrupt
		}
		return err
	}
	snap, err := s.Load(ctx, key, memory.LoadOptions{Recent: 10, RequestID: "r2"})
	all["load"] = unless(err != nil || len(snap.Damaged) == 0, err)
	messages, err := s.Messages(ctx, key, memory.Page{})
	all["messages"] = unless(!slices.ContainsFunc(messages, func(m memory.Message) bool { return m.Damaged() }), err)
	turns, err := s.Turns(ctx, key, memory.Page{Inactive: true})
	all["turns"] = unless(len(turns) == 3, err)
	_, all["steps"] = s.Steps(ctx, key)
	_, all["views"] = s.Views(ctx, memory.ViewQuery{Tier: "summary"})
	list, err := s.Sessions(ctx, memory.Query{})
	all["sessions"] = unless(len(list) != 1 || !list[0].Damaged, err)
	var left transfer.MissingParts
	err = s.Export(ctx, key, &left)
	all["export"] = unless(left.Count() == 0, err)
	return all
}

// A row that is not what was written is damage for whoever reads it, and nobody else.
func TestDamage(t *testing.T) {
	t.Parallel()
	tables := map[string]struct{ columns, readers string }{
		"messages":   {"turn created_at role content name tool_call_id tool_calls metadata tokens importance crc retracted", "load messages export"},
		"turns":      {"created_at intent outcome response version epoch next_seq floor_seq gone waiting_for_param last_intent_id params last_result plan_execution undone crc", "load turns export"},
		"plan_steps": {"turn origin plan step tool args result error_code started_at ended_at crc outcome_crc", "load steps export"},
		"views":      {"epoch up_to at data crc", "views"},
		"sessions":   {"created_at updated_at stated epoch floor_seq turns gone waiting_for_param last_intent_id params last_result plan_execution crc", "load messages turns export"},
		"about":      {"title tags about_crc", "sessions export"}, // columns of sessions
	}
	s, dsn, key := damaged(t)
	for name, err := range reads(s, key) {
		if err != nil {
			t.Fatalf("%s before any damage: %v", name, err)
		}
	}
	change := map[string]string{
		"bytea": `%[1]s || 'canary'::bytea`, "bigint": `%[1]s + 1`, "integer": `%[1]s + 2`, "text": `%[1]s || 'canary'`, "boolean": `NOT %[1]s`,
	}
	for name, c := range tables {
		table := name
		if name == "about" {
			table = "sessions"
		}
		for column := range strings.FieldsSeq(c.columns) {
			kind := value[string](t, dsn, `SELECT data_type FROM information_schema.columns
				WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2`, table, column)
			execute(t, dsn, `CREATE TABLE saved AS SELECT * FROM `+table)
			execute(t, dsn, `UPDATE `+table+` SET `+column+` = `+fmt.Sprintf(change[kind], column))
			for reader, err := range reads(s, key) {
				affected := strings.Contains(" "+c.readers+" ", " "+reader+" ")
				if affected && !errors.Is(err, memory.ErrCorrupt) {
					t.Errorf("%s.%s is damaged, and %s says: %v", name, column, reader, err)
				}
				if !affected && err != nil {
					t.Errorf("%s.%s is damaged, and %s fails: %v", name, column, reader, err)
				}
				if err != nil && (strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "asks")) {
					t.Errorf("%s.%s: the error quotes the content: %v", name, column, err)
				}
			}
			execute(t, dsn, `TRUNCATE `+table)
			execute(t, dsn, `INSERT INTO `+table+` SELECT * FROM saved`)
			execute(t, dsn, `DROP TABLE saved`)
		}
	}
}

// Rows that are gone are missed.
func TestMissingRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, readers string }{
		{`DELETE FROM messages WHERE seq = 3`, "load messages export"},
		{`DELETE FROM messages WHERE seq = 6`, "load messages export"},
		{`DELETE FROM sessions`, "load messages turns export"},
	} {
		s, dsn, key := damaged(t)
		execute(t, dsn, c.text)
		errs := reads(s, key)
		for reader := range strings.FieldsSeq(c.readers) {
			if !errors.Is(errs[reader], memory.ErrCorrupt) {
				t.Errorf("%s: %s says: %v", c.text, reader, errs[reader])
			}
		}
	}
}
