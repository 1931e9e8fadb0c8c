package storetest

import (
	"errors"
	"math"
	"strings"
	"sync"

	"github.com/slotway/slotway/memory"
)

func unknownSession(s *suite) {
	snap := s.load(ada, memory.LoadOptions{Recent: 5, RequestID: "r"})
	if snap.State.Version != 0 || snap.NextSeq != 1 || !snap.UpdatedAt.IsZero() || snap.State.Params == nil || snap.Key != ada {
		s.Errorf("Load of an unknown session = %+v", snap)
	}
	_, err := s.Messages(s.Context(), ada, memory.Page{})
	s.wantErr("Messages", err, memory.ErrNotFound)
	s.wantErr("Export", s.Export(s.Context(), ada, &strings.Builder{}), memory.ErrNotFound)
	s.wantErr("Delete", s.Delete(s.Context(), ada), memory.ErrNotFound)
}

func badKey(s *suite) {
	bad := memory.Key{UserID: "ada", SessionID: "one"}
	_, err := s.Load(s.Context(), bad, memory.LoadOptions{})
	s.wantErr("Load", err, memory.ErrBadKey)
	s.wantErr("Commit", s.Commit(s.Context(), &memory.Delta{Key: bad}), memory.ErrBadKey)
	s.wantErr("Start", s.Start(s.Context(), bad, 0, step("k")), memory.ErrBadKey)
	s.wantErr("Delete", s.Delete(s.Context(), bad), memory.ErrBadKey)
}

func turns(s *suite) {
	snap := s.talk(ada, 3)
	if snap.State.Version != 3 || snap.Turns != 3 || snap.NextSeq != 7 || snap.History() != 6 || snap.Epoch != 0 {
		s.Errorf("after 3 turns: version %d turns %d next %d history %d epoch %d",
			snap.State.Version, snap.Turns, snap.NextSeq, snap.History(), snap.Epoch)
	}
	s.same("seqs", []int64{1, 2, 3, 4, 5, 6}, seqs(snap.Recent))
	s.same("created", t0.Add(1*60e9), snap.CreatedAt)
	s.same("updated", t0.Add(3*60e9), snap.UpdatedAt)
	s.same("state", memory.State{Params: map[string]any{"n": 3.0}, LastIntentID: "ask", Version: 3}, snap.State)
	s.same("fresh", snap, s.load(ada, memory.LoadOptions{Recent: 1000, Fresh: true}))
}

func everyField(s *suite) {
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Messages[0].Metadata = map[string]string{"channel": "web", "": "empty"}
	d.Messages[1].ToolCalls = []memory.ToolCall{{ID: "c1", Tool: "find", Args: []byte(`{"q":"x"}`)}, {ID: "c2", Tool: "find"}}
	d.Messages[1].Tokens, d.Messages[1].Importance = 17, 3
	d.Messages = append(d.Messages,
		memory.Message{Seq: 3, Turn: 1, Role: memory.Tool, Name: "find", ToolCallID: "c1", Text: `{"found":1}`, Timestamp: t0},
		memory.Message{Seq: 4, Turn: 1, Role: memory.System, Timestamp: t0})
	d.State = memory.State{
		Params: map[string]any{
			"text": "x", "number": -1.5e-7, "yes": true, "none": nil,
			"list": []any{"a", 1.0, map[string]any{"deep": []any{}}}, "empty": map[string]any{},
		},
		WaitingForParam: "order_id", LastIntentID: "order_status",
		LastResult: []byte(`{"status":"shipped"}`), PlanExecution: []byte(`{"v":1}`),
	}
	s.commit(d)
	want := d.State
	want.Version = 1
	for _, fresh := range []bool{false, true} {
		snap := s.load(ada, memory.LoadOptions{Recent: 10, RequestID: "r1", Fresh: fresh})
		s.same("state", want, snap.State)
		s.same("messages", d.Messages, snap.Recent)
		s.same("replay", d.Turn, snap.Replay)
	}
}

func strangeText(s *suite) {
	texts := []string{"", "\x00", "a\x00b", "naïve 漢字 🙂\u200d", "' OR 1=1; --", "\u2028\r\n\t\"\\", "{}", "NULL", "0012"}
	key := memory.Key{UserID: "ünal 'x\"", AgentID: "%_", SessionID: "a/b c🙂"}
	d := turn(s.load(key, memory.LoadOptions{}))
	d.Messages = nil
	for i, text := range texts {
		d.Messages = append(d.Messages, memory.Message{
			Seq: int64(i + 1), Turn: 1, Role: memory.User, Text: text, Name: text, Timestamp: t0, Metadata: map[string]string{text: text},
		})
		d.State.Params["p"+text] = text
	}
	d.State.Params["broken"] = "a\xffb" // JSON cannot hold it: every store gives back the same
	d.Turn.RequestID = texts[3]
	s.commit(d)
	d.State.Params["broken"] = "a\uFFFDb"
	for _, fresh := range []bool{false, true} {
		snap := s.load(key, memory.LoadOptions{Recent: 100, RequestID: texts[3], Fresh: fresh})
		s.same("messages", d.Messages, snap.Recent)
		s.same("params", d.State.Params, snap.State.Params)
		s.same("replay", d.Turn, snap.Replay)
	}
}

func largeValues(s *suite) {
	big := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Messages[0].Text = big
	d.State.Params["big"] = big
	d.State.LastResult = []byte(`"` + big + `"`)
	s.commit(d)
	s.talk(ada, 1)
	snap := s.load(ada, memory.LoadOptions{Recent: 4, Fresh: true})
	if snap.Recent[0].Text != big {
		s.Errorf("a text of %d bytes came back with %d", len(big), len(snap.Recent[0].Text))
	}
}

func isolation(s *suite) {
	keys := []memory.Key{
		ada,
		{UserID: "bob", AgentID: "shop", SessionID: "one"},
		{UserID: "ada", AgentID: "bank", SessionID: "one"},
		{UserID: "ada", AgentID: "shop", SessionID: "two"},
		{UserID: "adashop", AgentID: "one", SessionID: "x"},
		{UserID: "a", AgentID: "dashop", SessionID: "onex"},
	}
	for i, key := range keys {
		d := turn(s.load(key, memory.LoadOptions{}))
		d.Turn.RequestID = "same"
		d.State.Params["i"] = float64(i)
		s.start(key, 0, step("same"))
		s.commit(d)
	}
	for i, key := range keys {
		for _, fresh := range []bool{false, true} {
			snap := s.load(key, memory.LoadOptions{Recent: 10, RequestID: "same", Fresh: fresh})
			if snap.State.Version != 1 || len(snap.Recent) != 2 || snap.Replay == nil || len(snap.OpenSteps) != 1 || snap.State.Params["i"] != float64(i) {
				s.Errorf("key %d sees something else: version %d, %d messages", i, snap.State.Version, len(snap.Recent))
			}
		}
	}
	if err := s.Delete(s.Context(), keys[0]); err != nil {
		s.Fatal(err)
	}
	if n := len(s.list(memory.Query{})); n != len(keys)-1 {
		s.Errorf("after deleting one of %d sessions %d are listed", len(keys), n)
	}
}

func badDelta(s *suite) {
	snap := s.talk(ada, 1)
	for name, change := range map[string]func(*memory.Delta){
		"seq gap":          func(d *memory.Delta) { d.Messages[1].Seq++ },
		"seq reused":       func(d *memory.Delta) { d.Messages[0].Seq--; d.Messages[1].Seq-- },
		"seq ahead":        func(d *memory.Delta) { d.Messages[0].Seq++; d.Messages[1].Seq++ },
		"no role":          func(d *memory.Delta) { d.Messages[0].Role = "robot" },
		"not UTF-8":        func(d *memory.Delta) { d.Messages[0].Text = "\xff" },
		"turn number":      func(d *memory.Delta) { d.Turn.Number++ },
		"floor ahead":      func(d *memory.Delta) { d.Floor = 6 },
		"params no JSON":   func(d *memory.Delta) { d.State.Params["x"] = math.Inf(1) },
		"step without key": func(d *memory.Delta) { d.Steps = []memory.Step{{Status: memory.StepDone}} },
		"step status":      func(d *memory.Delta) { d.Steps = []memory.Step{{IdempotencyKey: "k", Status: "maybe"}} },
	} {
		d := turn(snap)
		change(d)
		s.wantErr(name, s.Commit(s.Context(), d), memory.ErrBadDelta)
	}
	s.same("session", snap, s.load(ada, memory.LoadOptions{Recent: 1000}))
	s.commit(turn(snap)) // and it goes on
}

func conflict(s *suite) {
	snap := s.talk(ada, 2)
	for _, base := range []int64{0, 1, 3, 1 << 40} {
		d := turn(snap)
		d.Base = base
		s.wantErr("Commit", s.Commit(s.Context(), d), memory.ErrConflict)
	}
	s.same("session", snap, s.load(ada, memory.LoadOptions{Recent: 1000}))
	d := turn(memory.NewSnapshot(memory.Key{UserID: "x", AgentID: "x", SessionID: "x"}))
	d.Base = 1
	s.wantErr("Commit on an unknown session", s.Commit(s.Context(), d), memory.ErrConflict)
}

// Of many commits on one version exactly one wins.
func concurrentCommits(s *suite) {
	const rounds, rivals = 10, 8
	for range rounds {
		snap := s.load(ada, memory.LoadOptions{})
		errs := make([]error, rivals)
		var wg sync.WaitGroup
		for i := range rivals {
			own := *snap
			own.State = snap.State.Clone()
			wg.Go(func() {
				d := turn(&own)
				d.Turn.RequestID = "" // only the version decides
				errs[i] = s.Commit(s.Context(), d)
			})
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if !errors.Is(err, memory.ErrConflict) {
				s.Errorf("rival: %v", err)
			}
		}
		if won != 1 {
			s.Fatalf("%d of %d rivals won", won, rivals)
		}
	}
	if snap := s.load(ada, memory.LoadOptions{Recent: 1000, Fresh: true}); snap.State.Version != rounds || len(snap.Recent) != 2*rounds {
		s.Errorf("version %d, %d messages after %d rounds", snap.State.Version, len(snap.Recent), rounds)
	}
}

// Many sessions at once do not disturb each other.
func concurrentSessions(s *suite) {
	const sessions, count = 24, 12
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			key := memory.Key{UserID: "u", AgentID: "a", SessionID: string(rune('a' + i))}
			for n := range count {
				snap, err := s.Load(s.Context(), key, memory.LoadOptions{Recent: 4, RequestID: "none"})
				if err != nil || snap.State.Version != int64(n) || snap.Replay != nil {
					s.Errorf("session %d turn %d: Load: %v", i, n, err)
					return
				}
				if err := s.Commit(s.Context(), turn(snap)); err != nil {
					s.Errorf("session %d turn %d: Commit: %v", i, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, info := range s.list(memory.Query{Limit: 1000}) {
		snap := s.load(info.Key, memory.LoadOptions{Recent: 1000, Fresh: true})
		if snap.Turns != count || len(snap.Recent) != 2*count {
			s.Errorf("a session has %d turns and %d messages, want %d and %d", snap.Turns, len(snap.Recent), count, 2*count)
		}
	}
}

func replay(s *suite) {
	s.talk(ada, 3)
	for _, fresh := range []bool{false, true} {
		snap := s.load(ada, memory.LoadOptions{RequestID: "r2", Fresh: fresh})
		if r := snap.Replay; r == nil || r.Number != 2 || string(r.Response) != `{"reply":"answer 2"}` || r.Outcome != "responded" {
			s.Errorf("Replay of r2 = %+v", r)
		}
		if snap = s.load(ada, memory.LoadOptions{RequestID: "r9", Fresh: fresh}); snap.Replay != nil {
			s.Errorf("Replay of an unknown request = %+v", snap.Replay)
		}
		if snap = s.load(ada, memory.LoadOptions{Fresh: fresh}); snap.Replay != nil {
			s.Errorf("Replay without asking = %+v", snap.Replay)
		}
	}
}

func requestIDOnce(s *suite) {
	snap := s.talk(ada, 2)
	d := turn(snap)
	d.Turn.RequestID = "r1"
	s.wantErr("second commit of r1", s.Commit(s.Context(), d), memory.ErrConflict)
	s.same("session", snap, s.load(ada, memory.LoadOptions{Recent: 1000, Fresh: true}))
	for range 2 { // turns without an id are never doubles
		d = turn(s.load(ada, memory.LoadOptions{}))
		d.Turn.RequestID = ""
		s.commit(d)
	}
}
