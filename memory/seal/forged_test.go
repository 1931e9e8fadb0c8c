package seal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/seal"
	memorysqlite "github.com/slotway/slotway/memory/sqlite"
)

// covered are the columns that the checksum of a row covers, in its order: # marks numbers.
var covered = []struct{ table, where, crc, columns string }{
	{
		"sessions", "version > 0", "crc", `user_id agent_id session_id #version #epoch #next_seq #floor_seq #turns #gone #created_at #updated_at #stated
		waiting_for_param last_intent_id params last_result plan_execution`,
	},
	{"sessions", "version > 0", "about_crc", "user_id agent_id session_id title tags system_prompt metadata #expires_at"},
	{"messages", "seq = 2", "crc", "#seq #turn #created_at #tokens #importance digest role content name tool_call_id tool_calls metadata"},
	{
		"turns", "turn = 2", "crc", `#turn #created_at #version #epoch #next_seq #floor_seq #gone digest request_id intent outcome response
		waiting_for_param last_intent_id params last_result plan_execution`,
	},
	{"plan_steps", "tool = CAST('pay' AS BLOB)", "crc", "#turn #started_at digest idempotency_key origin plan step tool args"},
	{"plan_steps", "tool = CAST('pay' AS BLOB)", "outcome_crc", "#ended_at digest idempotency_key status result error_code"},
	{"views", "true", "crc", "#epoch #up_to #at digest tier id data"},
}

// forge changes a column of a row, or more of it, and makes its checksum fit.
func forge(t *testing.T, path, table, where, crc, columns, change string, more ...string) {
	t.Helper()
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	names := strings.Fields(columns)
	var args []any
	var sum record.Sum
	selected := strings.NewReplacer("#", "", "digest", "(SELECT digest FROM keys k WHERE k.id = session)").Replace(strings.Join(names, ", "))
	read := fmt.Sprintf("SELECT %s FROM %s WHERE %s", selected, table, where)
	run := func(text string, args []any, row func(*sqlite.Stmt) error) {
		t.Helper()
		if err := sqlitex.Execute(c, text, &sqlitex.ExecOptions{Args: args, ResultFunc: row}); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range more {
		run(fmt.Sprintf("UPDATE %s SET %s WHERE %s", table, text, where), nil, nil)
	}
	found := false
	run(read, nil, func(row *sqlite.Stmt) error {
		found = true
		for i, name := range names {
			number, isNumber := row.ColumnInt64(i), name[0] == '#'
			data := make([]byte, row.ColumnLen(i))
			row.ColumnBytes(i, data)
			if name == change && isNumber {
				number++
				args = append(args, number)
			} else if name == change && row.ColumnType(i) == sqlite.TypeText {
				data = append(data, 'x')
				args = append(args, string(data))
			} else if name == change {
				data = append(data, 'x')
				args = append(args, data)
			}
			if isNumber {
				sum.Ints(number)
			} else {
				sum.Texts(string(data))
			}
		}
		return nil
	})
	if !found || change != "" && len(args) == 0 {
		t.Fatalf("no row of %s", table)
	}
	set := crc + " = ?"
	if change != "" {
		set = strings.TrimPrefix(change, "#") + " = ?, " + set
	}
	run(fmt.Sprintf("UPDATE %s SET %s WHERE %s", table, set, where), append(args, sum.CRC()), nil)
}

// filled is the file of an encrypted store with a session of two turns, described.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	store := openFile(t, path)
	fill(t, store)
	more(t, store)
	if err := store.Describe(t.Context(), ada, memory.About{Title: "Payment", Tags: []string{"a"}, SystemPrompt: secret}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openFile(t *testing.T, path string) memory.Backend {
	t.Helper()
	inner, err := memorysqlite.Open(t.Context(), path, &memorysqlite.Options{Durability: memorysqlite.Relaxed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	return open(t, inner, newKey)
}

// copied is a copy of a file.
func copied(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// more commits another turn.
func more(t *testing.T, store memory.Backend) {
	t.Helper()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "more", Timestamp: time.Now()})
	s.Merge(map[string]any{"q": "later"})
	s.RecordTurn(memory.Turn{RequestID: "r2"})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// everything reads all of the session.
func everything(t *testing.T, store memory.Backend) error {
	t.Helper()
	snap, loaded := store.Load(t.Context(), ada, memory.LoadOptions{Recent: 5, RequestID: "r2"})
	if loaded == nil && len(snap.Damaged) > 0 {
		loaded = memory.ErrCorrupt
		for _, named := range []error{seal.ErrTampered, seal.ErrUnencrypted} {
			if strings.Contains(snap.Damaged[0], named.Error()) {
				loaded = named
			}
		}
	}
	list, turns := store.Turns(t.Context(), ada, memory.Page{})
	if turns == nil && len(list) != 2 {
		turns = memory.ErrCorrupt
	}
	_, steps := store.Steps(t.Context(), ada)
	infos, listed := store.Sessions(t.Context(), memory.Query{})
	if len(infos) > 0 && infos[0].Damaged {
		listed = memory.ErrCorrupt
	}
	views, viewed := store.Views(t.Context(), memory.ViewQuery{Tier: "summary"})
	if len(views) != 1 {
		viewed = memory.ErrCorrupt // it is made again
	}
	return errors.Join(loaded, turns, steps, listed, viewed)
}

// Whoever can write the file, and has no key, makes no row that is taken, though its checksum fits: no
// column can be changed, whether it is hidden or readable.
func TestForgedRows(t *testing.T) {
	path := filled(t)
	if err := everything(t, openFile(t, copied(t, path))); err != nil {
		t.Fatalf("as it was written: %v", err)
	}
	for _, c := range covered {
		for column := range strings.FieldsSeq(c.columns) {
			if column == "digest" {
				continue
			}
			t.Run(c.table+" "+column, func(t *testing.T) {
				forged := copied(t, path)
				forge(t, forged, c.table, c.where, c.crc, c.columns, column)
				if err := everything(t, openFile(t, forged)); !errors.Is(err, memory.ErrCorrupt) {
					t.Errorf("error %v, want one that says that it is damaged", err)
				}
			})
		}
	}
}

// A seal of another row or another moment, and a text in the place of a seal, are named as what they are.
func TestForgedText(t *testing.T) {
	message, turn := covered[2], covered[3]
	for _, c := range []struct {
		of     struct{ table, where, crc, columns string }
		forged string
		want   error
	}{
		{message, "content = CAST('yes' AS BLOB)", seal.ErrUnencrypted},
		{message, "content = x''", seal.ErrUnencrypted},
		{message, "content = (SELECT content FROM messages WHERE seq = 1)", seal.ErrTampered},
		{turn, "response = (SELECT response FROM turns WHERE turn = 1)", seal.ErrTampered},
		{turn, "response = CAST('{}' AS BLOB), params = CAST('{}' AS BLOB)", seal.ErrUnencrypted},
	} {
		path := filled(t)
		forge(t, path, c.of.table, c.of.where, c.of.crc, c.of.columns, "", c.forged)
		if err := everything(t, openFile(t, path)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.forged, err, c.want)
		}
	}
}
