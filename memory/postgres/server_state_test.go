package postgres

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// as is a dsn whose connections have a setting of the server.
func as(t *testing.T, dsn, name, value string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestPromise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		st   *serverState
		want durability
	}{
		{nil, durabilityUnknown},
		{&serverState{commit: "off", fsync: true, standbys: true}, durabilityNone},
		{&serverState{commit: "on", fsync: false, standbys: true}, durabilityNone},
		{&serverState{commit: "on", fsync: true}, durabilityDisk},
		{&serverState{commit: "local", fsync: true, standbys: true}, durabilityDisk},
		{&serverState{commit: "on", fsync: true, standbys: true}, durabilityStandby},
		{&serverState{commit: "remote_apply", fsync: true, standbys: true}, durabilityStandby},
	} {
		if got := c.st.durability(); got != c.want {
			t.Errorf("%+v promises %q, want %q", c.st, got, c.want)
		}
	}
}

// Where a standby is required, a server that waits for none is refused; one that ceases to
// wait, later, has no turn acknowledged and is not ready.
func TestRequireSync(t *testing.T) {
	t.Parallel()
	dsn := as(t, newSchema(t), "synchronous_commit", "off")
	s := open(t, dsn, nil)
	if got := s.Health().Durability; got != string(durabilityNone) {
		t.Errorf("Durability: %q, want %q", got, durabilityNone)
	}
	_, err := Open(t.Context(), dsn, &Options{RequireSync: true})
	if !errors.Is(err, ErrDurability) || !strings.Contains(err.Error(), "synchronous_standby_names") {
		t.Errorf("Open: %v, want %v", err, ErrDurability)
	}
	talk(t, s, testKey(0), 1)
	snap := load(t, s, testKey(0))
	s.opts.RequireSync = true
	for what, do := range map[string]func() error{
		"Ping":   func() error { return s.Ping(context.Background()) },
		"Commit": func() error { return s.Commit(context.Background(), turnOf(snap, "r2")) },
		"Start": func() error {
			return s.Start(context.Background(), testKey(0), 1, memory.Step{IdempotencyKey: "k", StartedAt: noon})
		},
	} {
		if err := do(); !errors.Is(err, ErrDurability) || !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s: %v, want %v", what, err, ErrDurability)
		}
	}
	s.opts.RequireSync = false
	mustHold(t, s, testKey(0), 1)
}

// A history that went back is told of once, and each of its sessions is counted: one that is
// older than it was, and one that is gone with the server that had it. What was erased is not.
func TestHistoryThatWentBack(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	var told []string
	s := open(t, dsn, &Options{NoNotify: true, Notify: func(n Notice) { told = append(told, n.Code) }})
	other := open(t, dsn, nil)
	for i := range 3 {
		talk(t, s, testKey(i), 3)
	}
	before := load(t, s, testKey(0)).Lineage
	if err := other.Delete(t.Context(), testKey(2)); err != nil {
		t.Fatal(err)
	}
	load(t, s, testKey(2))
	if got := s.Health().Regressions; got != 0 || len(told) > 0 {
		t.Fatalf("%d sessions went back, told %v, before any did", got, told)
	}
	// A server that took over has the first session as it was two turns ago, and no second one.
	back(t, dsn, testKey(0), 2)
	execute(t, dsn, `DELETE FROM sessions WHERE session = $1`, digestOf(testKey(1)))
	execute(t, dsn, `DELETE FROM messages WHERE session = $1`, digestOf(testKey(1)))
	was := *s.monitor.state.Load()
	was.timeline = "00000000"
	s.monitor.state.Store(&was)
	for _, item := range s.baselines.items.Values() {
		item.lineage = was.lineage()
	}
	for range 2 {
		for i := range 2 {
			load(t, s, testKey(i))
		}
	}
	h := s.Health()
	if h.Regressions != 2 || h.ServerChanges != 1 {
		t.Errorf("%d sessions went back and %d servers came, want 2 and 1", h.Regressions, h.ServerChanges)
	}
	if want := []string{"server", "history"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if after := load(t, s, testKey(0)).Lineage; after != before {
		t.Errorf("lineage %q on the same server, want %q", after, before)
	}
	talk(t, s, testKey(0), 1)
	mustHold(t, s, testKey(0), 2)
}

// back takes the newest turns of a session away, as a server does that never had them.
func back(t *testing.T, dsn string, key memory.Key, turns int64) {
	t.Helper()
	d := digestOf(key)
	s := open(t, dsn, nil)
	var was *sessionRow
	snap := load(t, s, key)
	list, err := s.Turns(t.Context(), key, memory.Page{After: snap.Turns - turns - 1, Limit: 1})
	if err != nil || len(list) != 1 || list[0].Snapshot == nil {
		t.Fatalf("Turns: %v, %v", list, err)
	}
	was = &sessionRow{key: key, counters: list[0].Snapshot.Counters, created: micros(snap.CreatedAt), updated: micros(list[0].At), state: list[0].Snapshot.State}
	c, err := newCommit(&memory.Delta{Key: key, State: was.state})
	if err != nil {
		t.Fatal(err)
	}
	was.params = c.params
	h := was.counters
	for text, args := range map[string][]any{
		`DELETE FROM messages WHERE session = $1 AND seq >= $2`: {d, h.NextSeq},
		`DELETE FROM turns WHERE session = $1 AND turn > $2`:    {d, h.Turns},
	} {
		execute(t, dsn, text, args...)
	}
	q := &statement{}
	now := baseline{memory.Counters{Version: snap.State.Version, Epoch: snap.Epoch, NextSeq: snap.NextSeq, Floor: snap.Floor, Turns: snap.Turns}, was.created}
	q.updateSession(now, was, was.checksum(&record.Sum{}))
	execute(t, dsn, q.text.String(), q.args...)
	if got := load(t, s, key).Turns; got != snap.Turns-turns {
		t.Fatalf("%d turns are left of %d", got, snap.Turns)
	}
}

// What was read from a server that waits for standbys proves nothing when it is gone: it may
// have had it alone, and nobody was told.
func TestOnlyWhatWasAcknowledgedCanBeLost(t *testing.T) {
	h, d := newBaselineCache(2), digestOf(testKey(0))
	row := func(version int64) *sessionRow {
		return &sessionRow{counters: memory.Counters{Version: version}, created: 1}
	}
	at := func(version int64) baseline { return baseline{memory.Counters{Version: version}, 1} }
	for _, c := range []struct {
		name   string
		put    func()
		row    *sessionRow
		wanted bool
	}{
		{"read from a server that waits", func() { h.put(d, at(5), "1/a", false) }, row(4), false},
		{"and gone", func() {}, nil, false},
		{"committed", func() { h.put(d, at(4), "1/a", true) }, row(3), true},
		{"committed, and there", func() {}, row(4), false},
		{"committed, and read later", func() { h.put(d, at(6), "2/b", false) }, row(5), false},
		{"committed, and older than that", func() {}, row(3), true},
		{"gone with its timeline", func() {}, nil, true},
		{"begun anew", func() { h.put(d, baseline{memory.Counters{Version: 1}, 2}, "2/b", false) }, row(1), false},
	} {
		c.put()
		seen, known := h.seen(d)
		if got := known && seen.isNewerThan(c.row, "2/b"); got != c.wanted {
			t.Errorf("%s: went back is %t", c.name, got)
		}
	}
}
