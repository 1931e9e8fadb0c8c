package storetest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
)

func (s *suite) list(q memory.Query) []memory.Info {
	s.Helper()
	list, err := s.Sessions(s.Context(), q)
	if err != nil {
		s.Fatalf("Sessions: %v", err)
	}
	return list
}

func (s *suite) messages(key memory.Key, page memory.Page) []int64 {
	s.Helper()
	list, err := s.Messages(s.Context(), key, page)
	if err != nil {
		s.Fatalf("Messages: %v", err)
	}
	return seqs(list)
}

func clearEpoch(s *suite) {
	s.talk(ada, 2)
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Clear = true
	s.commit(d)
	for _, fresh := range []bool{false, true} {
		snap := s.load(ada, memory.LoadOptions{Recent: 10, Fresh: fresh})
		s.same("active", []int64{5, 6}, seqs(snap.Recent))
		if snap.Epoch != 1 || snap.History() != 2 || snap.NextSeq != 7 || snap.Turns != 3 {
			s.Errorf("epoch %d history %d next %d turns %d", snap.Epoch, snap.History(), snap.NextSeq, snap.Turns)
		}
	}
	s.same("page", []int64{5, 6}, s.messages(ada, memory.Page{}))
	s.same("page with inactive ones", []int64{1, 2, 3, 4, 5, 6}, s.messages(ada, memory.Page{Inactive: true}))
	// A clear by hand is no turn.
	s.commit(&memory.Delta{Key: ada, Base: 3, At: t0, Clear: true})
	if snap := s.load(ada, memory.LoadOptions{Recent: 10, RequestID: "r1"}); snap.Epoch != 2 || snap.Turns != 3 || len(snap.Recent) != 0 || snap.Replay == nil {
		s.Errorf("after a clear by hand: %+v", snap)
	}
}

func floor(s *suite) {
	s.talk(ada, 3)
	s.commit(&memory.Delta{Key: ada, Base: 3, At: t0, Floor: 4})
	snap := s.load(ada, memory.LoadOptions{Recent: 10})
	s.same("active", []int64{4, 5, 6}, seqs(snap.Recent))
	if snap.History() != 3 || snap.Epoch != 0 {
		s.Errorf("history %d epoch %d", snap.History(), snap.Epoch)
	}
	s.commit(&memory.Delta{Key: ada, Base: 4, At: t0, Floor: 2}) // it never sinks
	s.same("active", []int64{4, 5, 6}, seqs(s.load(ada, memory.LoadOptions{Recent: 10, Fresh: true}).Recent))
	s.commit(&memory.Delta{Key: ada, Base: 5, At: t0, Floor: 7})
	if snap = s.load(ada, memory.LoadOptions{Recent: 10}); snap.History() != 0 || len(snap.Recent) != 0 {
		s.Errorf("history %d after a floor above everything", snap.History())
	}
}

// Windows of any size, growing and shrinking, are the newest messages.
func window(s *suite) {
	s.talk(ada, 4)
	for _, n := range []int{0, 1, 3, 8, 100, 2, -1} {
		for _, fresh := range []bool{false, true} {
			snap := s.load(ada, memory.LoadOptions{Recent: n, Fresh: fresh})
			if want := min(max(n, 0), 8); len(snap.Recent) != want || (want > 0 && snap.Recent[want-1].Seq != 8) {
				s.Errorf("Recent %d, fresh %t: seqs %v", n, fresh, seqs(snap.Recent))
			}
		}
	}
	for i := range 4 { // and stay so over commits
		s.commit(turn(s.load(ada, memory.LoadOptions{Recent: 2})))
		next := int64(11 + 2*i)
		s.same("window", []int64{next - 5, next - 4, next - 3, next - 2, next - 1}, seqs(s.load(ada, memory.LoadOptions{Recent: 5}).Recent))
	}
}

func paging(s *suite) {
	s.talk(ada, 5)
	for _, c := range []struct {
		page memory.Page
		want []int64
	}{
		{memory.Page{Limit: 3}, []int64{1, 2, 3}},
		{memory.Page{After: 3, Limit: 3}, []int64{4, 5, 6}},
		{memory.Page{After: 9}, []int64{10}},
		{memory.Page{After: 10}, nil},
		{memory.Page{After: 1 << 40}, nil},
		{memory.Page{After: -5, Limit: 1}, []int64{1}},
		{memory.Page{Limit: 5000}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		s.same("page", c.want, s.messages(ada, c.page))
	}
	// No page is longer than 1000.
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Messages = nil
	for i := range int64(1200) {
		d.Messages = append(d.Messages, memory.Message{Seq: 11 + i, Turn: 6, Role: memory.User, Timestamp: t0})
	}
	s.commit(d)
	if n := len(s.messages(ada, memory.Page{Limit: 5000})); n != 1000 {
		s.Errorf("a page of %d messages", n)
	}
}

func listing(s *suite) {
	names := []string{"c", "a", "b"}
	for i, name := range names {
		for _, user := range []string{"ada", "bob"} {
			for _, agent := range []string{"shop", "bank"} {
				key := memory.Key{UserID: user, AgentID: agent, SessionID: name}
				d := turn(s.load(key, memory.LoadOptions{}))
				d.At = t0.Add(time.Duration(i) * time.Hour)
				d.State.WaitingForParam = name
				s.commit(d)
			}
		}
	}
	all := s.list(memory.Query{})
	if len(all) != 12 {
		s.Fatalf("%d sessions listed, want 12", len(all))
	}
	at := t0.Add(2 * time.Hour)
	s.same("first", memory.Info{
		Key: memory.Key{UserID: "ada", AgentID: "bank", SessionID: "b"}, Turns: 1, History: 2, Waiting: "b", Version: 1,
		CreatedAt: at, UpdatedAt: at,
	}, all[0])
	for i := 1; i < len(all); i++ {
		if all[i].UpdatedAt.After(all[i-1].UpdatedAt) {
			s.Errorf("line %d is newer than the one before it", i)
		}
	}
	for _, c := range []struct {
		query memory.Query
		want  []memory.Info
	}{
		{memory.Query{Limit: 5}, all[:5]},
		{memory.Query{Limit: 5, Offset: 10}, all[10:]},
		{memory.Query{Offset: 100}, nil},
		{memory.Query{Limit: 1, Offset: 1, All: true}, all[1:]},
		{memory.Query{UserID: "ada"}, pick(all, "ada", "")},
		{memory.Query{AgentID: "bank"}, pick(all, "", "bank")},
		{memory.Query{UserID: "bob", AgentID: "shop"}, pick(all, "bob", "shop")},
		{memory.Query{UserID: "nobody"}, nil},
		{memory.Query{UserID: "a%"}, nil},
	} {
		if got := s.list(c.query); len(got)+len(c.want) > 0 {
			s.same("listing", c.want, got)
		}
	}
}

func pick(all []memory.Info, user, agent string) []memory.Info {
	var out []memory.Info
	for _, info := range all {
		if (user == "" || info.Key.UserID == user) && (agent == "" || info.Key.AgentID == agent) {
			out = append(out, info)
		}
	}
	return out
}

// A session that is used while sessions are visited is neither left out nor visited again. One that was erased is
// not visited, and one of somebody else is not either.
func walk(s *suite) {
	const sessions, page, erased = 25, 4, 20
	key := func(i int) memory.Key {
		return memory.Key{UserID: "ada", AgentID: "shop", SessionID: fmt.Sprint("walked ", i)}
	}
	for i := range sessions {
		s.talk(key(i), 1)
	}
	s.talk(memory.Key{UserID: "bob", AgentID: "shop", SessionID: "b"}, 1)
	visited, n := map[memory.Key]int{}, 0
	if err := memory.Walk(s.Context(), s, memory.Query{UserID: "ada", Limit: page}, func(in *memory.Info) error {
		visited[in.Key]++
		s.commit(turn(s.load(key(n%erased), memory.LoadOptions{}))) // some were visited, some were not
		if n++; n > 1 {
			return nil
		}
		return s.Delete(s.Context(), key(erased))
	}); err != nil {
		s.Fatal(err)
	}
	want := map[memory.Key]int{}
	for i := range sessions {
		want[key(i)] = 1
	}
	if delete(want, key(erased)); visited[key(erased)] > 0 { // in the page that was read before
		want[key(erased)] = 1
	}
	s.same("visited", want, visited)
}

func deletion(s *suite) {
	s.talk(ada, 3)
	s.start(ada, 3, step("k1"))
	if err := s.Delete(s.Context(), ada); err != nil {
		s.Fatal(err)
	}
	unknownSession(s)
	if list := s.list(memory.Query{}); len(list) != 0 {
		s.Errorf("%d sessions are listed", len(list))
	}
	snap := s.talk(ada, 1) // begins anew: the same request ids and keys are free again
	if snap.State.Version != 1 || snap.NextSeq != 3 || len(snap.OpenSteps) != 0 {
		s.Errorf("after Delete: version %d next %d open steps %d", snap.State.Version, snap.NextSeq, len(snap.OpenSteps))
	}
	s.start(ada, 1, step("k1"))
}

func pruneByAge(s *suite) {
	for i := range 50 {
		key := memory.Key{UserID: "u", AgentID: "a", SessionID: string(rune('A' + i))}
		d := turn(s.load(key, memory.LoadOptions{}))
		d.At = t0.Add(time.Duration(i) * time.Hour)
		s.commit(d)
	}
	s.start(ada, 0, step("old"))                                       // only a journal: not counted
	own := memory.Key{UserID: "$own", AgentID: "a", SessionID: "kept"} // reserved: stays
	kept := turn(s.load(own, memory.LoadOptions{}))
	kept.At = t0
	s.commit(kept)
	n, err := s.Prune(s.Context(), t0.Add(45*time.Hour))
	if n != 45 || err != nil {
		s.Errorf("Prune = %d, %v; want 45", n, err)
	}
	if list := s.list(memory.Query{Limit: 1000}); len(list) != 6 {
		s.Errorf("%d sessions are left, want 6", len(list))
	}
	if snap := s.load(memory.Key{UserID: "u", AgentID: "a", SessionID: "A"}, memory.LoadOptions{Recent: 5}); snap.State.Version != 0 || len(snap.Recent) != 0 {
		s.Errorf("a pruned session is still there")
	}
	if snap := s.load(ada, memory.LoadOptions{}); len(snap.OpenSteps) != 0 {
		s.Errorf("an old journal was not pruned")
	}
	if n, err := s.Prune(s.Context(), t0); n != 0 || err != nil {
		s.Errorf("Prune again = %d, %v", n, err)
	}
}

// What goes in and what comes out is nobody else's.
func copies(s *suite) {
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.State.Params["list"] = []any{map[string]any{"a": "1"}}
	d.State.LastResult = []byte(`{"a":1}`)
	d.Messages[0].Metadata = map[string]string{"a": "1"}
	spoil := func(params map[string]any, result []byte, list []memory.Message, r *memory.Turn) {
		params["list"].([]any)[0].(map[string]any)["a"] = "changed"
		params["more"] = true
		copy(result, "SPOILT")
		list[0].Text, list[0].Metadata["a"] = "changed", "changed"
		copy(r.Response, "SPOILT")
	}
	want := d.Clone()
	s.commit(d)
	spoil(d.State.Params, d.State.LastResult, d.Messages, d.Turn)
	for range 3 {
		snap := s.load(ada, memory.LoadOptions{Recent: 5, RequestID: "r1"})
		s.same("params", want.State.Params, snap.State.Params)
		s.same("result", want.State.LastResult, snap.State.LastResult)
		s.same("messages", want.Messages, snap.Recent)
		s.same("replay", want.Turn, snap.Replay)
		spoil(snap.State.Params, snap.State.LastResult, snap.Recent, snap.Replay)
	}
}

func cancelled(s *suite) {
	snap := s.talk(ada, 1)
	ctx, cancel := context.WithCancel(s.Context())
	cancel()
	_, err := s.Load(ctx, ada, memory.LoadOptions{})
	s.wantErr("Load", err, context.Canceled)
	s.wantErr("Commit", s.Commit(ctx, turn(snap)), context.Canceled)
	s.wantErr("Start", s.Start(ctx, ada, 1, step("k")), context.Canceled)
	s.same("session", snap, s.load(ada, memory.LoadOptions{Recent: 1000}))
	s.commit(turn(snap))
}

func closed(s *suite) {
	snap := s.talk(ada, 1)
	for range 2 {
		if err := s.Close(); err != nil {
			s.Fatalf("Close: %v", err)
		}
	}
	_, err := s.Load(s.Context(), ada, memory.LoadOptions{})
	s.wantErr("Load", err, memory.ErrClosed)
	s.wantErr("Commit", s.Commit(s.Context(), turn(snap)), memory.ErrClosed)
	s.wantErr("Start", s.Start(s.Context(), ada, 1, step("k")), memory.ErrClosed)
	s.wantErr("Delete", s.Delete(s.Context(), ada), memory.ErrClosed)
	s.wantErr("Ping", s.Ping(s.Context()), memory.ErrClosed)
	s.wantErr("Export", s.Export(s.Context(), ada, &bytes.Buffer{}), memory.ErrClosed)
	_, err = s.Sessions(s.Context(), memory.Query{})
	s.wantErr("Sessions", err, memory.ErrClosed)
}
