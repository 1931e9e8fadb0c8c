package main

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/memory"
)

// line is a turn as a test writes it down: sent at ten times its number, heard five later.
type line struct {
	said, told string
	confirming string
	calls      string // tool=status
}

func talked(lines ...line) *transcript {
	t := &transcript{id: "s"}
	for i, l := range lines {
		n := int64(i + 1)
		one := told{number: n, after: n - 1, text: l.said, sent: time.Unix(0, 10*n), heard: time.Unix(0, 10*n+5)}
		one.reply.Reply = l.told
		if l.confirming != "" {
			one.reply.Confirming = &l.confirming
		}
		for call := range strings.FieldsSeq(l.calls) {
			tool, status, _ := strings.Cut(call, "=")
			one.reply.ToolCalls = append(one.reply.ToolCalls, struct {
				Tool   string `json:"tool"`
				Status string `json:"status"`
			}{tool, status})
		}
		t.turns = append(t.turns, one)
	}
	t.stand()
	return t
}

func (t *transcript) without(text string, after int64) *transcript {
	t.lost = append(t.lost, gone{text: text, after: after, sent: time.Unix(0, 10*after+8)})
	return t
}

// overtaken is a transcript whose turn n was sent right after another one, and given up.
func (t *transcript) overtaken(n int, after int64) *transcript {
	one := &t.turns[n-1]
	one.after, one.sent, one.heard = after, time.Unix(0, 8), time.Time{}
	t.stand()
	return t
}

func TestCompareLedger(t *testing.T) {
	ask := line{"please book E-1 now", "Book E-1?", "append", ""}
	yes := line{"yes", "E-1 is booked.", "", "append=ok"}
	help := line{"help", "Hm.", "", ""}
	unknown, already := "I "+unknownTold+".", "That has been done already."
	for name, c := range map[string]struct {
		talk    *transcript
		effects []event
		want    report
	}{
		"done and told":       {talked(ask, yes), []event{{"E-1", 22}}, report{ToldDone: 1}},
		"done twice":          {talked(ask, yes), []event{{"E-1", 22}, {"E-1", 23}}, report{ToldDone: 1, DoubleWrites: 1, UntoldEffects: 1}},
		"without a yes":       {talked(ask, help), []event{{"E-1", 22}}, report{UnaskedWrites: 1, UntoldEffects: 1}},
		"before the yes":      {talked(ask, yes), []event{{"E-1", 12}}, report{DoubleWrites: 1, ToldDone: 1}},
		"of a stranger":       {talked(help), []event{{"E-1", 22}}, report{UnaskedWrites: 1}},
		"told and not done":   {talked(ask, yes), nil, report{ToldDone: 1, ToldWrongly: 1}},
		"told before it was":  {talked(ask, yes), []event{{"E-1", 26}}, report{ToldDone: 1, ToldWrongly: 1}},
		"never mentioned":     {talked(ask, line{"yes", "Hm.", "", ""}), []event{{"E-1", 22}}, report{UntoldEffects: 1}},
		"told as failed":      {talked(ask, line{"yes", "It failed.", "", "append=error"}), []event{{"E-1", 22}}, report{UntoldEffects: 1}},
		"nobody knows":        {talked(ask, line{"yes", unknown, "", "append=unknown"}), []event{{"E-1", 400}}, report{ToldUnknown: 1}},
		"nobody knows, not":   {talked(ask, line{"yes", unknown, "", "append=unknown"}), nil, report{ToldUnknown: 1}},
		"help before the yes": {talked(ask, line{"help", "Hm. Book E-1?", "append", ""}, yes), []event{{"E-1", 32}}, report{ToldDone: 1}},
		"two yeses":           {talked(ask, yes, line{"yes", "E-1 is booked.", "", "append=ok"}), []event{{"E-1", 22}, {"E-1", 32}}, report{ToldDone: 1, DoubleWrites: 1}},
		"told twice of one":   {talked(ask, yes, yes), []event{{"E-1", 22}}, report{ToldDone: 1, ToldWrongly: 1}},

		"one note, posted twice at once, one of them lost behind its write": {
			talked(line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}, line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}).overtaken(2, 0),
			[]event{{"N-1", 12}},
			report{ToldDone: 1},
		},
		"one note, posted twice at once, none of them written": {
			talked(line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}, line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}).overtaken(2, 0),
			nil,
			report{ToldDone: 1, ToldWrongly: 2},
		},

		"a lost yes, and the value changes": {
			talked(ask, line{"please book E-2 now", "OK, entry is now E-2. E-2 is booked.", "", "append=ok"}).without("yes", 1),
			[]event{{"E-1", 19}},
			report{ToldDone: 1, ToldWrongly: 1, UntoldEffects: 1},
		},
		"a lost yes, told first": {
			talked(ask, line{"please book E-2 now", "E-1 is booked. Book E-2?", "append", "append=ok"}).without("yes", 1),
			[]event{{"E-1", 19}},
			report{ToldDone: 1},
		},
		"a lost yes, and a no": {
			talked(ask, line{"no", "OK, E-1 is not booked.", "", ""}).without("yes", 1),
			[]event{{"E-1", 19}},
			report{ToldWrongly: 1, UntoldEffects: 1},
		},
		"a no that nobody heard, and then a yes": {
			talked(ask, line{"no", "OK, E-1 is not booked.", "", ""}, line{"yes", "Book E-1?", "append", ""}, yes).overtaken(2, 1),
			[]event{{"E-1", 42}},
			report{ToldDone: 1},
		},
		"a no that nobody heard, and it was done": {
			talked(ask, line{"no", "OK, E-1 is not booked.", "", ""}, line{"yes", "Book E-1?", "append", ""}, yes).overtaken(2, 1),
			[]event{{"E-1", 32}},
			report{ToldDone: 1, ToldWrongly: 1},
		},
		"a yes that was lost behind its write, another, and the first again": {
			talked(ask, line{"yes", unknown, "", "append=unknown"}, line{"yes", already, "", ""}).overtaken(3, 1),
			[]event{{"E-1", 19}},
			report{ToldUnknown: 1},
		},
		"a lost yes and another": {
			talked(ask, line{"yes", unknown, "", "append=unknown"}).without("yes", 1),
			[]event{{"E-1", 19}, {"E-1", 22}},
			report{ToldUnknown: 1, DoubleWrites: 1, UntoldEffects: 1},
		},
		"a lost note, typed anew": {
			talked(line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}).without("please jot down N-1", 0),
			[]event{{"N-1", 9}},
			report{ToldDone: 1},
		},
		"a lost note, done again, and told once": {
			talked(line{"please jot down N-1", "N-1 is noted.", "", "jot=ok"}).without("please jot down N-1", 0),
			[]event{{"N-1", 9}, {"N-1", 12}},
			report{ToldDone: 1, UntoldEffects: 1},
		},
		"a lost note, and another": {
			talked(line{"please jot down N-2", already + " N-2 is noted.", "", "jot=ok jot=ok"}).without("please jot down N-1", 0),
			[]event{{"N-1", 9}, {"N-2", 12}},
			report{ToldDone: 1},
		},
		"a lost note, and its report is of nothing": {
			talked(line{"please jot down N-2", already + " N-2 is noted.", "", "jot=ok jot=ok"}).without("please jot down N-1", 0),
			[]event{{"N-2", 12}},
			report{ToldDone: 1, ToldWrongly: 1},
		},
		"an unknown one is no other's": {
			talked(line{"please jot down N-1", "Hm.", "", ""}, line{"please jot down N-2", unknown, "", "jot=unknown"}, line{"please jot down N-3", unknown, "", "jot=unknown"}),
			[]event{{"N-1", 12}, {"N-2", 22}},
			report{ToldUnknown: 2, UntoldEffects: 1},
		},
		"done when its task is resumed": {
			talked(line{"please jot down N-1", "It failed.", "", "jot=error"}, line{"please jot down N-2", "N-2 is noted.", "", "jot=ok"}, line{"try again", unknown, "", "jot=unknown"}),
			[]event{{"N-2", 22}, {"N-1", 32}},
			report{ToldDone: 1, ToldUnknown: 1},
		},
		"lost, told as unknown, and there once more too late": {
			talked(line{"help", "Hm.", "", ""}, line{"please jot down N-2", unknown + " N-2 is noted.", "", "jot=ok jot=unknown"}, line{"N-1", "What?", "", ""}).overtaken(3, 1),
			[]event{{"N-1", 9}, {"N-2", 22}},
			report{ToldDone: 1, ToldUnknown: 1},
		},
		"a wreath and its card": {
			talked(line{"please send the wreath W-1", "Send W-1?", "send", ""}, line{"yes", "A card?", "", "send=ok"}, line{"golden", "W-1 is sent with a golden card.", "", ""}),
			[]event{{"W-1", 22}},
			report{ToldDone: 1},
		},
		"a wreath that became another": {
			talked(line{"please send the wreath W-1", "Send W-1?", "send", ""}, line{"yes", "A card?", "", "send=ok"},
				line{"no, W-2", "OK, wreath is now W-2. A card?", "", ""}, line{"golden", "W-2 is sent with a golden card.", "", ""}),
			[]event{{"W-1", 22}},
			report{ToldDone: 1, ToldWrongly: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := &entries{effects: map[string][]int64{}, calls: map[string]map[string][]int64{}}
			for _, one := range c.effects {
				e.effects[one.key] = append(e.effects[one.key], one.at)
			}
			var got report
			got.compareLedger([]*transcript{c.talk}, e)
			c.want.Effects = len(c.effects)
			if diff := gocmp.Diff(c.want, got, cmpopts.IgnoreUnexported(report{})); diff != "" {
				t.Errorf("(-want +got)\n%s%q", diff, got.notes)
			}
		})
	}
}

func TestCallsAreHeldAgainstWhatWasAskedFor(t *testing.T) {
	talk := talked(line{"please tip T-1", "T-1 is tipped.", "", "tip=ok"}, line{"please tip T-2", "T-2 is tipped.", "", "tip=ok"})
	e := &entries{
		effects: map[string][]int64{"T-1": {12}, "T-2": {22}},
		calls:   map[string]map[string][]int64{"T-1": {"k1": {12, 13}}, "T-2": {"k2": {22}, "k3": {23}}},
	}
	var got report
	if got.compareLedger([]*transcript{talk}, e); got.DoubleCalls != 1 {
		t.Errorf("%+v", got)
	}
}

// A perfect match is found where the first choice must give way.
func TestMatch(t *testing.T) {
	fits := [][]bool{{true, true, false}, {true, false, false}, {true, true, false}, {false, false, true}}
	alone := match(4, 3, func(i, p int) bool { return fits[i][p] })
	if !slices.Equal(alone, []int{2}) {
		t.Error(alone)
	}
}

// What was given up may be stored or not, but as it was said, and no earlier than it was sent.
func TestCompareSessionWithGoneMessages(t *testing.T) {
	a, b, c := turn("a", 1), turn("b", 2), turn("c", 3)
	for name, test := range map[string]struct {
		known session
		want  report
	}{
		"stored":         {session{turns: []said{a, c}, gone: []gone{{id: "b", text: b.text, after: 1}}}, report{}},
		"the last":       {session{turns: []said{a, b}, gone: []gone{{id: "c", text: c.text, after: 1}}}, report{}},
		"not stored":     {session{turns: []said{a, b, c}, gone: []gone{{id: "d", text: "say d", after: 1}}}, report{}},
		"another text":   {session{turns: []said{a, c}, gone: []gone{{id: "b", text: "other", after: 1}}}, report{Lost: 1}},
		"before its day": {session{turns: []said{a, c}, gone: []gone{{id: "b", text: b.text, after: 2}}}, report{Reordered: 1}},
		"nobody's":       {session{turns: []said{a, c}}, report{Reordered: 1, Strange: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var got report
			got.compareSession(&test.known, stored(t, a, b, c))
			if diff := gocmp.Diff(test.want, got, cmpopts.IgnoreUnexported(report{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTranscribe(t *testing.T) {
	a, b, c := turn("a", 1), turn("b", 2), turn("c", 3)
	a.heard = time.Unix(0, 1)
	got := transcribe(&session{id: "s", turns: []said{a}, gone: []gone{{id: "b", text: b.text}, {id: "d", text: "say d"}}}, stored(t, c, a, b))
	var texts []string
	for _, one := range got.turns {
		texts = append(texts, cmp.Or(one.text, "?")+"/"+one.reply.Reply)
	}
	want := []string{"?/reply to c", "say a/reply to a", "say b/reply to b"}
	if diff := gocmp.Diff(want, texts); diff != "" || len(got.lost) != 1 || got.lost[0].id != "d" || got.turns[1].heard != a.heard {
		t.Errorf("%s %+v", diff, got.lost)
	}
}

// A client that gives up says something else, and knows that it did.
func TestClientGivesUp(t *testing.T) {
	texts := map[string]string{} // by id
	tries := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Message string
			ID      string `json:"message_id"`
		}
		if json.NewDecoder(r.Body).Decode(&m) == nil {
			texts[m.ID] = m.Message
			tries[m.ID]++
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &service{name: "ledger", script: newBooker, addr: strings.TrimPrefix(server.URL, "http://"), yes: make(chan struct{})}
	c := newClient(s, 0, rand.New(rand.NewPCG(1, 1)))
	known := c.sessions[0]
	for len(known.gone) < 20 {
		p := c.post(known, "say "+string(rune('a'+len(known.gone))))
		p.most = 1 + len(known.gone)%2
		if how := c.deliver(ctx, known, []*post{p}); how != givenUp || tries[p.id] != p.most {
			t.Fatalf("%v after %d tries, want %d", how, tries[p.id], p.most)
		}
	}
	for _, g := range known.gone {
		if texts[g.id] != g.text {
			t.Errorf("%s was %q, not %q", g.id, texts[g.id], g.text)
		}
	}
	kinds := map[string]bool{}
	for range 200 {
		if text, _ := c.sayInstead("yes", ""); text == "" {
			t.Fatal("nothing is said")
		}
	}
	for kind := range c.harms {
		kinds[kind] = true
	}
	if len(kinds) != len(insteads) {
		t.Errorf("%v", c.harms)
	}
}

func TestWindowWithGoneMessages(t *testing.T) {
	s := &session{turns: []said{turn("a", 1)}, last: 1, gone: []gone{{text: "say b"}}}
	window := []windowMessage{{1, memory.User, "say a"}, {1, memory.Agent, "reply to a"}, {2, memory.User, "say b"}, {2, memory.Agent, "anything"}}
	if wrong := s.contradicts(window); wrong != "" {
		t.Error(wrong)
	}
	window[2].Text = "say c"
	if s.contradicts(window) == "" {
		t.Error("a message that nobody has sent is taken")
	}
}
