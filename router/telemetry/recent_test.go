package telemetry

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// play records a turn of so many stages, the last with its path.
func play(s Sink, user, session, interaction string, turn int64, stages ...Stage) {
	for i, stage := range stages {
		e := event(payloads[stage])
		if p, ok := e.Payload.(Received); ok {
			p.Replayed = false
			e.Payload = p
		}
		e.UserID, e.SessionID, e.InteractionID, e.Turn = user, session, interaction, turn
		if i == len(stages)-1 {
			e.Path = []string{"received", "responded"}
		}
		s.Record(e)
	}
}

// told is who, where, when and what, of events.
func told(events []Event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%s/%s %d %s %s", e.UserID, e.SessionID, e.Turn, e.InteractionID, e.Stage))
	}
	return strings.Join(out, "\n")
}

func TestRecentTellsTurns(t *testing.T) {
	r := NewRecent(nil)
	play(r, "ana", "s", "a", 1, StageReceived, StageRespond)
	play(r, "ana", "s", "b", 2, StageReceived, StageError) // failed
	play(r, "ana", "s", "c", 2, StageReceived, StagePlan)  // tried again
	play(r, "bob", "s", "d", 7, StageReceived)
	for _, c := range []struct {
		user, session string
		turn          int64
		want          string
	}{
		{"ana", "s", 1, "ana/s 1 a received\nana/s 1 a respond"},
		{"ana", "s", 2, "ana/s 2 c received\nana/s 2 c plan"},
		{"ana", "s", 0, "ana/s 2 c received\nana/s 2 c plan"},
		{"ana", "s", 3, ""},
		{"bob", "s", 0, "bob/s 7 d received"},
		{"bob", "s", 1, ""},
		{"ana", "other", 0, ""},
		{"eve", "s", 0, ""},
		{"", "s", 0, ""},
	} {
		if diff := cmp.Diff(c.want, told(r.Trace(c.user, c.session, c.turn))); diff != "" {
			t.Errorf("Trace(%q, %q, %d) (-want +got):\n%s", c.user, c.session, c.turn, diff)
		}
	}
	if diff := cmp.Diff([]int64{1, 2}, r.Turns("ana", "s")); diff != "" {
		t.Errorf("Turns (-want +got):\n%s", diff)
	}
	if got := r.Turns("eve", "s"); got != nil {
		t.Errorf("Turns of a stranger: %v", got)
	}
	r.Trace("ana", "s", 1)[0].SessionID = "changed"
	if got := r.Trace("ana", "s", 1)[0].SessionID; got != "s" {
		t.Error("Trace hands out its own slice")
	}
}

func TestRecentKeepsTurnsOnly(t *testing.T) {
	r := NewRecent(nil)
	f, err := r.Follow("ana", "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	again := event(Received{Replayed: true})
	again.UserID = "ana"
	job := event(Job{Kind: "index"})
	job.UserID, job.InteractionID = "ana", ""
	nobody := event(Job{Kind: "index"})
	for _, e := range []Event{again, job, nobody} {
		r.Record(e)
	}
	if got := r.Trace("ana", "s-1", 0); got != nil {
		t.Errorf("kept %s", told(got))
	}
	events, _, err := f.Next(t.Context())
	if err != nil || len(events) != 2 {
		t.Errorf("heard %s, %v; want the replay and the job", told(events), err)
	}
}

func TestRecentForgets(t *testing.T) {
	r := NewRecent(nil)
	for _, session := range []string{"s", "t", "u"} {
		play(r, "ana", session, "a", 1, StageReceived)
		play(r, "bob", session, "a", 1, StageReceived)
	}
	r.Forget("ana", "s")
	r.Forget("ana", "never")
	if r.Trace("ana", "s", 0) != nil || r.Trace("ana", "t", 0) == nil || r.Trace("bob", "s", 0) == nil {
		t.Error("Forget of one session")
	}
	r.Forget("ana", "")
	if r.Trace("ana", "t", 0) != nil || r.Trace("ana", "u", 0) != nil || r.Trace("bob", "u", 0) == nil {
		t.Error("Forget of one user's sessions")
	}
	if kept := r.sessions.Weight(); kept != 3 {
		t.Errorf("counts %d events, has 3", kept)
	}
}

// TestRecentIsBounded plays anything and holds every bound, and the count, after each event.
func TestRecentIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := RecentOptions{Sessions: 3, Turns: 3, Events: 3, Total: 14}
		r := NewRecent(&opts)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			e := event(payloads[rapid.SampledFrom(Stages).Draw(t, "stage")])
			e.UserID = rapid.SampledFrom([]string{"", "ana", "bob"}).Draw(t, "user")
			e.SessionID = rapid.SampledFrom([]string{"", "s", "t", "u", "v"}).Draw(t, "session")
			e.InteractionID = rapid.SampledFrom([]string{"", "1", "2", "3", "4", "5"}).Draw(t, "interaction")
			e.Turn = int64(rapid.IntRange(0, 4).Draw(t, "turn"))
			r.Record(e)
			kept := 0
			for _, o := range r.sessions.Keys() {
				s, _ := r.sessions.Peek(o)
				if len(s.turns) > opts.Turns {
					t.Fatalf("%d turns", len(s.turns))
				}
				for _, turn := range s.turns {
					kept += len(turn.events)
					if len(turn.events) > opts.Events {
						t.Fatalf("%d events of a turn", len(turn.events))
					}
				}
			}
			if int64(kept) != r.sessions.Weight() || kept > opts.Total || r.sessions.Len() > opts.Sessions {
				t.Fatalf("%d events, counted %d, in %d sessions", kept, r.sessions.Weight(), r.sessions.Len())
			}
		}
	})
}

func TestRecentDropsTheSessionThatWasSilentLongest(t *testing.T) {
	r := NewRecent(&RecentOptions{Sessions: 2})
	for _, session := range []string{"s", "t", "s", "u"} {
		play(r, "ana", session, session, 1, StageReceived)
	}
	if r.Trace("ana", "t", 0) != nil || r.Trace("ana", "s", 0) == nil || r.Trace("ana", "u", 0) == nil {
		t.Error("want s and u")
	}
}

// TestALongTurnKeepsItsEnd: the way it went comes with the last event.
func TestALongTurnKeepsItsEnd(t *testing.T) {
	r := NewRecent(&RecentOptions{Events: 3})
	play(r, "ana", "s", "a", 1, StageReceived, StageClassify, StagePlan, StagePlan, StageRespond)
	got := r.Trace("ana", "s", 1)
	if len(got) != 3 || got[0].Stage != StageReceived || !got[2].Ends() {
		t.Errorf("kept %s", told(got))
	}
}

// TestNobodySeesAnother has users with the same session ids speak at once, while each follows
// and reads their own.
func TestNobodySeesAnother(t *testing.T) {
	r := NewRecent(&RecentOptions{Buffer: 10_000})
	var all sync.WaitGroup
	for i := range 4 {
		user := fmt.Sprint("user", i)
		every, err := r.Follow(user, "")
		if err != nil {
			t.Fatal(err)
		}
		one, err := r.Follow(user, "s1")
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for turn := range 100 {
				session := fmt.Sprint("s", turn%3)
				play(r, user, session, fmt.Sprint(turn), int64(turn)+1, StageReceived, StageRespond)
				for _, e := range r.Trace(user, session, 0) {
					if e.UserID != user || e.SessionID != session {
						t.Errorf("%s is shown %s/%s", user, e.UserID, e.SessionID)
					}
				}
			}
			every.Stop()
			one.Stop()
			for _, c := range []struct {
				f    *Follower
				want int
			}{{every, 200}, {one, 66}} {
				events, lost, err := c.f.Next(t.Context())
				if len(events) != c.want || lost > 0 || err != nil {
					t.Errorf("%s heard %d events, lost %d, %v; want %d", user, len(events), lost, err, c.want)
				}
				for _, e := range events {
					if e.UserID != user || c.f.session != "" && e.SessionID != c.f.session {
						t.Errorf("%s hears %s/%s", user, e.UserID, e.SessionID)
					}
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkRecentSize fills a Recent to its bounds with turns of eight stages and reports what
// that takes.
func BenchmarkRecentSize(b *testing.B) {
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := NewRecent(nil)
		for turn := range int64(64) {
			for session := range 256 {
				for _, stage := range Stages[:8] {
					e := event(filled(stage))
					e.UserID, e.SessionID, e.InteractionID, e.Turn = "ana", fmt.Sprint("s", session), fmt.Sprint("i", turn, session), turn+1
					r.Record(e)
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
		b.ReportMetric(float64(r.sessions.Weight()), "events")
	}
}

// filled is a payload with slices of its own, as those of real turns have.
func filled(stage Stage) Payload {
	if stage != StageClassify {
		return payloads[stage]
	}
	p := payloads[stage].(Classify)
	p.Ranking = append([]Ranked(nil), p.Ranking...)
	p.Params = append([]FoundParam(nil), p.Params...)
	return p
}

func BenchmarkRecentRecord(b *testing.B) {
	r := NewRecent(nil)
	e := event(payloads[StageClassify])
	e.UserID = "ana"
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n++; n%8 == 0 {
			e.InteractionID = interactions[n/8%len(interactions)]
		}
		r.Record(e)
	}
}

var interactions = [...]string{"a", "b", "c", "d"}

func TestFollowerWaits(t *testing.T) {
	r := NewRecent(nil)
	f, err := r.Follow("ana", "s")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string)
	var all sync.WaitGroup
	all.Go(func() {
		events, _, _ := f.Next(t.Context())
		heard <- told(events)
	})
	play(r, "bob", "s", "b", 1, StagePlan)
	play(r, "ana", "t", "b", 1, StagePlan)
	play(r, "ana", "s", "a", 1, StageRespond)
	select {
	case got := <-heard:
		if want := "ana/s 1 a respond"; got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Error("nothing was heard")
	}
	all.Wait()
}
