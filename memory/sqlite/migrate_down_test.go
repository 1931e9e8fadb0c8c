package sqlite

import (
	"errors"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/migration"
)

// turned is a closed file with rows in every table, and a turn of each session taken back.
func turned(t *testing.T, sessions, turns int) string {
	t.Helper()
	file := newFile(t)
	store := open(t, file, nil)
	furnish(t, store, sessions, turns)
	for i := range sessions {
		key := benchKey(i)
		snap := mustLoad(t, store, key, memory.LoadOptions{Recent: 9})
		d := turnOf(key, snap, snap.Recent[0].Timestamp)
		d.Turn.Snapshot = &memory.TurnSnapshot{}
		mustCommit(t, store, d)
		takeBack(t, store, key)
		if err := store.Describe(t.Context(), key, memory.About{Title: "t", SystemPrompt: "Be brief.", Metadata: []byte(`{"a":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	mustBeSound(t, file)
	return file
}

// takeBack undoes the newest turn.
func takeBack(t *testing.T, store *Store, key memory.Key) {
	t.Helper()
	snap := mustLoad(t, store, key, memory.LoadOptions{Recent: 9})
	mustCommit(t, store, &memory.Delta{
		Key: key, Base: snap.State.Version, At: snap.Recent[0].Timestamp, State: snap.State,
		Undo: &memory.Undo{Turn: snap.Turns, From: snap.NextSeq - 2, Until: snap.NextSeq},
	})
}

func schemaOf(t *testing.T, file string) (version int64) {
	t.Helper()
	list, err := Migrate(t.Context(), file, "status")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Applied {
			version = m.Version
		}
	}
	return version
}

// However far down the schema goes, up makes a sound file of it again, with every message. A
// step that would lose something is refused, names it, and changes nothing.
func TestDownAndUp(t *testing.T) {
	const sessions, turns = 2, 2
	latest := schemaOf(t, turned(t, 1, 1))
	for target := latest; target >= 0; target-- {
		file := turned(t, sessions, turns)
		for version := latest; version > target; version-- {
			if err := downOnce(t, file, len(losses[version]) > 0); err != nil {
				t.Fatalf("down from %d: %v", version, err)
			}
			mustBeSound(t, file) // the check migrates a copy
			if got := schemaOf(t, file); got != version-1 {
				t.Fatalf("down from %d: the schema is %d", version, got)
			}
		}
		if _, err := Migrate(t.Context(), file, "up"); err != nil {
			t.Fatalf("up from %d: %v", target, err)
		}
		r := mustBeSound(t, file)
		want := int64(2 * sessions * (turns + 1))
		if target == 0 {
			want = 0
		}
		if r.Rows["messages"] != want {
			t.Errorf("up from %d: %d messages, want %d", target, r.Rows["messages"], want)
		}
		store := open(t, file, nil)
		for i := range sessions {
			mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 50})
			oneTurnOf(t, store, benchKey(i))
		}
	}
}

// downOnce goes down one step, after it has been refused where something is lost.
func downOnce(t *testing.T, file string, loses bool) error {
	t.Helper()
	if !loses {
		_, err := Migrate(t.Context(), file, "down")
		return err
	}
	before := schemaOf(t, file)
	_, err := Migrate(t.Context(), file, "down")
	if !errors.Is(err, migration.ErrDataLoss) || !strings.Contains(err.Error(), "--lose") || !strings.Contains(err.Error(), "db backup") {
		t.Errorf("down from %d, which loses something: %v", before, err)
	}
	if got := schemaOf(t, file); got != before {
		t.Errorf("a step from %d that was refused went to %d", before, got)
	}
	_, err = Migrate(t.Context(), file, migration.DownLosingData)
	return err
}

// Every migration says what its way down loses, and one whose tables hold nothing loses nothing.
func TestLossesAreDeclared(t *testing.T) {
	file := newFile(t)
	open(t, file, nil).Close()
	list, err := Migrate(t.Context(), file, "status")
	if err != nil {
		t.Fatal(err)
	}
	for i := len(list) - 1; i >= 0; i-- {
		if _, known := losses[list[i].Version]; !known {
			t.Errorf("migrate_down.go does not say what %s loses on its way down", list[i].Name)
		}
		if _, err := Migrate(t.Context(), file, "down"); err != nil {
			t.Errorf("down from %s of an empty store: %v", list[i].Name, err)
		}
	}
}

// A damaged row is not given a checksum that hides the damage.
func TestDownOfDamage(t *testing.T) {
	file := turned(t, 1, 2)
	for schemaOf(t, file) > 2 {
		if _, err := Migrate(t.Context(), file, migration.DownLosingData); err != nil {
			t.Fatal(err)
		}
	}
	mustSQL(t, file, `UPDATE turns SET response = '{"reply":"another"}' WHERE undone <> 0`)
	if _, err := Migrate(t.Context(), file, migration.DownLosingData); !errors.Is(err, memory.ErrCorrupt) || schemaOf(t, file) != 2 {
		t.Errorf("down of a damaged row: %v, schema %d", err, schemaOf(t, file))
	}
}
