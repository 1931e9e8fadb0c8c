package postgres

import (
	"errors"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

func TestWeakness(t *testing.T) {
	for _, c := range []struct {
		durability durability
		want       string
	}{
		{durability{survivesServer, 2}, ""},
		{durability{survivesCrash, 0}, ""},
		{durability{"", 0}, ""},
		{durability{survivesCrash, 2}, "standbys (2)"},
		{durability{survivesNothing, 2}, "before they are on its disk"},
	} {
		if got := c.durability.weakness(); !strings.Contains(got, c.want) || got != "" && c.want == "" {
			t.Errorf("weakness of %+v: %q, want %q", c.durability, got, c.want)
		}
	}
}

// Where a standby is required, a server that waits for none is refused at the start.
func TestRequireSync(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t) + "&synchronous_commit=off"
	d, err := connect(t.Context(), dsn, (*Options)(nil).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.durability.survives != survivesNothing {
		t.Errorf("a commit is said to survive %q, want %q", d.durability.survives, survivesNothing)
	}
	if _, err = Open(t.Context(), dsn, &Options{RequireSync: true}); !errors.Is(err, ErrDurability) || !strings.Contains(err.Error(), "synchronous_standby_names") {
		t.Errorf("Open: %v, want %v", err, ErrDurability)
	}
}

// Where commits wait for a standby, what was read counts only once the standby has it, required or not.
func TestConfirmAsksWhereCommitsWait(t *testing.T) {
	t.Parallel()
	d, err := connect(t.Context(), newSchema(t), (*Options)(nil).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	d.Close() // who asks now learns nothing
	for survives, asks := range map[string]bool{survivesServer: true, survivesCrash: false} {
		d.durability.survives = survives
		if err := d.Confirm(t.Context()); (err != nil) != asks {
			t.Errorf("commits survive the %s: %v", survives, err)
		}
	}
}

// A commit of which the server warns that no standby has it is not acknowledged.
func TestAWarningIsNoConfirmation(t *testing.T) {
	t.Parallel()
	d, err := connect(t.Context(), newSchema(t), (*Options)(nil).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	warn := &sqlstore.Query{Text: `DO $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication' USING ERRCODE = '01000'; END $$`}
	if err := d.Write(t.Context(), warn); !errors.Is(err, ErrUnknown) || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Write with a warning: %v", err)
	}
	if err := d.Write(t.Context(), &sqlstore.Query{Text: `SELECT 1`}); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
