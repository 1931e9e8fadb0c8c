package storetest

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

func fullAbout() memory.About {
	return memory.About{
		Title: "Lost parcel", Tags: []string{"parcel"}, SystemPrompt: "Be brief.\x00\nSay \"Ms\".",
		Metadata: json.RawMessage(`{"plan":"gold","seats":[1,2]}`), ExpiresAt: t0.Add(time.Hour),
	}
}

func (s *suite) about(key memory.Key) memory.About {
	s.Helper()
	about, err := memory.AboutOf(s.Context(), s.Backend, key)
	if err != nil {
		s.Fatalf("AboutOf: %v", err)
	}
	return about
}

// saidOfASession: the prompt and the metadata outlive turns, a clear, an export and a fork.
func saidOfASession(s *suite) {
	s.talk(ada, 1)
	if err := s.Describe(s.Context(), ada, fullAbout()); err != nil {
		s.Fatal(err)
	}
	s.same("after Describe", fullAbout(), s.about(ada))
	snap := s.talk(ada, 1)
	s.commit(&memory.Delta{Key: ada, Base: snap.State.Version, At: t0.Add(time.Hour), Clear: true, State: memory.State{Params: map[string]any{}}})
	s.same("after a clear", fullAbout(), s.about(ada))
	branch := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "branch"}
	if err := transfer.Fork(s.Context(), s.Backend, ada, branch, 0, nil); err != nil {
		s.Fatal(err)
	}
	s.same("of a fork", fullAbout(), s.about(branch))
	var b bytes.Buffer
	if err := s.Export(s.Context(), ada, &b); err != nil {
		s.Fatal(err)
	}
	if err := s.Delete(s.Context(), ada); err != nil {
		s.Fatal(err)
	}
	s.same("after Delete", memory.About{}, s.about(ada))
	if _, err := s.Import(s.Context(), &b); err != nil {
		s.Fatal(err)
	}
	s.same("after an import", fullAbout(), s.about(ada))
	if list := s.list(memory.Query{Text: "brief"}); len(list) != 0 {
		s.Error("a prompt is found by its words")
	}
	for _, bad := range []memory.About{{Metadata: []byte("[1]")}, {Metadata: []byte(`{"a"`)}, {SystemPrompt: "\xff"}} {
		s.wantErr("Describe with "+string(bad.Metadata), s.Describe(s.Context(), ada, bad), memory.ErrBadAbout)
	}
	if err := s.Describe(s.Context(), ada, memory.About{Metadata: []byte(" { } ")}); err != nil {
		s.Fatal(err)
	}
	s.same("taken away", memory.About{}, s.about(ada))
}

// creating: a session is there before anything is said, once, and its first turn goes on from it.
func creating(s *suite) {
	if err := transfer.Create(s.Context(), s.Backend, ada, fullAbout(), t0); err != nil {
		s.Fatal(err)
	}
	s.same("about", fullAbout(), s.about(ada))
	snap := s.load(ada, memory.LoadOptions{Recent: 9})
	if snap.State.Version != 1 || snap.Turns != 0 || snap.NextSeq != 1 || !snap.CreatedAt.Equal(memory.Moment(t0)) || len(snap.Recent) != 0 {
		s.Errorf("a session that was created is %+v", snap)
	}
	s.wantErr("Create again", transfer.Create(s.Context(), s.Backend, ada, memory.About{}, t0), memory.ErrConflict)
	if snap := s.talk(ada, 1); snap.Turns != 1 || len(snap.Recent) != 2 {
		s.Errorf("after a turn it is %+v", snap)
	}
	s.wantErr("Create over turns", transfer.Create(s.Context(), s.Backend, ada, memory.About{}, t0), memory.ErrConflict)
	s.same("after a turn", fullAbout(), s.about(ada))
	eve := memory.Key{UserID: "eve", AgentID: "shop", SessionID: "one"}
	for what, about := range map[string]memory.About{
		"system_prompt": {SystemPrompt: strings.Repeat("a", memory.MaxSystemPrompt+1)},
		"metadata":      {Metadata: []byte(`{"a":"` + strings.Repeat("a", memory.MaxMetadata) + `"}`)},
	} {
		err := transfer.Create(s.Context(), s.Backend, eve, about, t0)
		s.wantErr("Create", err, memory.ErrBadAbout)
		if err != nil && !strings.Contains(err.Error(), what) {
			s.Errorf("%v does not name %s", err, what)
		}
	}
	longest := memory.About{SystemPrompt: strings.Repeat("ä", memory.MaxSystemPrompt), Metadata: []byte(`{"a":"` + strings.Repeat("a", memory.MaxMetadata-8) + `"}`)}
	if err := transfer.Create(s.Context(), s.Backend, eve, longest, t0); err != nil {
		s.Fatal(err)
	}
	s.same("the longest", longest, s.about(eve))
	s.wantErr("Create under a bad key", transfer.Create(s.Context(), s.Backend, memory.Key{UserID: "ada", AgentID: "shop"}, memory.About{}, t0), memory.ErrBadKey)
}

// expires: a session goes when its time has come, whenever it was used last; the others stay, and
// so does one with a call under way.
func expires(s *suite) {
	for id, at := range map[string]time.Time{"gone": t0, "unasked": t0, "later": t0.Add(time.Second), "never": {}, "calling": t0.Add(-time.Hour)} {
		key := memory.Key{UserID: "ada", AgentID: "shop", SessionID: id}
		if err := transfer.Create(s.Context(), s.Backend, key, memory.About{ExpiresAt: at}, t0); err != nil {
			s.Fatal(err)
		}
		s.talk(key, 1)
		if id == "calling" {
			s.start(key, 2, step("k"))
		}
	}
	gone := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "gone"}
	if snap := s.load(gone, memory.LoadOptions{}); !snap.ExpiresAt.Equal(t0) {
		s.Errorf("it expires at %v, want %v", snap.ExpiresAt, t0)
	}
	now := t0
	s.Keep(memory.Rules{Now: func() time.Time { return now }})
	s.expired(&now, gone)
	if n, err := s.Expire(s.Context()); n != 1 || err != nil {
		s.Errorf("Expire = %d, %v", n, err)
	}
	for id, there := range map[string]bool{"gone": false, "unasked": false, "later": true, "never": true, "calling": true} {
		if n := len(s.list(memory.Query{SessionID: id})); (n == 1) != there {
			s.Errorf("of %q there are %d", id, n)
		}
	}
}

// expired: from its moment on a session is there for nobody, before it is erased as well, and a turn
// begins a new one.
func (s *suite) expired(now *time.Time, key memory.Key) {
	s.Helper()
	snap, err := s.Load(s.Context(), key, memory.LoadOptions{Recent: 9, RequestID: "r1"})
	if err != nil || snap.State.Version != 0 || len(snap.Recent) != 0 || snap.Replay != nil {
		s.Errorf("an expired session is %+v, %v", snap, err)
	}
	if about, err := memory.AboutOf(s.Context(), s.Backend, key); err != nil || !about.Empty() {
		s.Errorf("what is said of it is %+v, %v", about, err)
	}
	s.wantErr("Export", s.Export(s.Context(), key, io.Discard), memory.ErrNotFound)
	s.wantErr("Describe", s.Describe(s.Context(), key, memory.About{Title: "t"}), memory.ErrNotFound)
	again := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "again"}
	*now = t0.Add(-2 * time.Hour)
	if err := transfer.Create(s.Context(), s.Backend, again, memory.About{ExpiresAt: t0, SystemPrompt: "Be brief."}, t0); err != nil {
		s.Fatal(err)
	}
	s.talk(again, 2)
	*now = t0
	if snap, err = s.Load(s.Context(), again, memory.LoadOptions{}); err != nil {
		s.Fatal(err)
	}
	if err := s.Start(s.Context(), again, 0, step("k")); err != nil {
		s.Errorf("Start in its place: %v", err)
	}
	delta := turn(snap)
	done := step("k")
	done.Status = memory.StepDone
	delta.Steps = []memory.Step{done}
	if err := s.Commit(s.Context(), delta); err != nil {
		s.Errorf("a turn in its place: %v", err)
	}
	if snap := s.load(again, memory.LoadOptions{Recent: 9}); snap.Turns != 1 || len(snap.Recent) != 2 || !snap.ExpiresAt.IsZero() {
		s.Errorf("after a turn in its place it is %+v", snap)
	}
	s.same("about the new one", memory.About{}, s.about(again))
}
