package openai

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// dialogue is what a client shows: what its user said, and what it heard of each answer.
type dialogue struct{ said, heard []string }

func (d *dialogue) upTo(n int) dialogue {
	return dialogue{slices.Clone(d.said[:n]), slices.Clone(d.heard[:min(n, len(d.heard))])}
}

func (d *dialogue) history() []string {
	var out []string
	for i, text := range d.said {
		out = append(out, text)
		if i < len(d.heard) {
			out = append(out, d.heard[i])
		}
	}
	return out
}

// oracle answers a dialogue from its beginning in a session of its own, and remembers.
type oracle struct {
	*fixture
	known map[string]told
}

// answer says a dialogue's messages in order, and returns what the last is answered.
func (o *oracle) answer(t *rapid.T, said []string) told {
	name := fmt.Sprintf("%q", said)
	if got, ok := o.known[name]; ok {
		return got
	}
	var got told
	for i, text := range said {
		body := history(text)
		res := o.send("POST", "/v1/chat/completions", body, "X-Conversation-Id", fmt.Sprintf("o%d", len(o.known)))
		if res.StatusCode != http.StatusOK {
			t.Fatalf("the oracle at message %d: status %d", i, res.StatusCode)
		}
		got = read[told](o.t, res, http.StatusOK)
	}
	o.known[name] = got
	return got
}

// Whatever clients do with their histories, each is answered as if its end that its session knows had
// been said alone, and each question leads to at most one call.
func TestHistoriesNeverMix(t *testing.T) {
	sentences := []string{"buy", "buy I-1", "buy I-2", "I-1", "I-2", "I-3", "yes", "yes", "sure", "no", "price", "price I-3", "blah"}
	rapid.Check(t, func(rt *rapid.T) {
		w, o := newFixture(t), &oracle{newFixture(t), map[string]told{}}
		open := []dialogue{{}, {}, {}}
		acted := map[ref]bool{}         // by the turn that asked
		saidIn := map[string][]string{} // by session
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			i := rapid.IntRange(0, len(open)-1).Draw(rt, "dialogue")
			d := &open[i]
			switch rapid.SampledFrom([]string{"say", "say", "say", "say", "edit", "again", "new"}).Draw(rt, "what") {
			case "new":
				open = append(open, dialogue{})
				continue
			case "edit":
				if len(d.said) == 0 {
					continue
				}
				*d = d.upTo(rapid.IntRange(0, len(d.said)-1).Draw(rt, "at"))
				d.said = append(d.said, rapid.SampledFrom(sentences).Draw(rt, "instead"))
			case "again":
				if len(d.said) == 0 {
					continue
				}
				*d = d.upTo(rapid.IntRange(1, len(d.said)).Draw(rt, "from"))
				d.heard = d.heard[:len(d.said)-1]
			case "say":
				d.said = append(d.said, rapid.SampledFrom(sentences).Draw(rt, "text"))
			}
			before := len(w.purchases())
			res := w.send("POST", "/v1/chat/completions", history(d.history()...))
			got := read[told](t, res, http.StatusOK)
			session, turn := got.Slotway.SessionID, int(got.Slotway.Turn)
			if turn == len(saidIn[session])+1 {
				saidIn[session] = append(saidIn[session], d.said[len(d.said)-1])
			}
			said := saidIn[session][:turn]
			if turn > len(d.said) || !slices.Equal(said, d.said[len(d.said)-turn:]) {
				rt.Fatalf("the history %q is answered in a session of %q", d.history(), said)
			}
			want := o.answer(rt, said)
			if diff := cmp.Diff(want.text(), got.text()); diff != "" {
				rt.Fatalf("after %q (-alone +among others)\n%s", d.history(), diff)
			}
			if diff := cmp.Diff(want.Slotway.Params, got.Slotway.Params); diff != "" {
				rt.Fatalf("params after %q (-alone +among others)\n%s", d.history(), diff)
			}
			if n := len(w.purchases()) - before; n > 0 {
				question := ref{session, int64(turn) - 1}
				if n > 1 || acted[question] {
					rt.Fatalf("the answer to one question called the tool twice, the last time after %q", d.history())
				}
				acted[question] = true
			}
			d.heard = append(d.heard, got.text())
			if cut := rapid.IntRange(0, 9).Draw(rt, "heard"); cut == 0 {
				d.heard[len(d.heard)-1] = got.text()[:rapid.IntRange(0, len(got.text())).Draw(rt, "of it")]
			}
		}
	})
}

// node is a response in a tree of them.
type node struct {
	id   string
	said []string
}

// However responses are answered, each stands for what was said on its way from the root.
func TestResponsesNeverMix(t *testing.T) {
	sentences := []string{"buy", "buy I-1", "I-2", "I-3", "yes", "sure", "no", "price", "blah"}
	rapid.Check(t, func(rt *rapid.T) {
		w, o := newFixture(t), &oracle{newFixture(t), map[string]told{}}
		tree := []node{{}}
		paths := map[string]string{} // what was said, by response
		acted := map[string]bool{}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			at := tree[rapid.IntRange(0, len(tree)-1).Draw(rt, "at")]
			said := append(slices.Clone(at.said), rapid.SampledFrom(sentences).Draw(rt, "text"))
			fields := []any{}
			if at.id != "" {
				fields = append(fields, "previous_response_id", at.id)
			}
			before := len(w.purchases())
			res := w.respondTo(said[len(said)-1], fields...)
			if n := len(w.purchases()) - before; n > 0 {
				if n > 1 || acted[at.id] {
					rt.Fatalf("the answer to one question called the tool twice, the last time after %q", said)
				}
				acted[at.id] = true
			}
			if res.StatusCode == http.StatusConflict {
				continue
			}
			got := read[responded](t, res, http.StatusOK)
			if want := o.answer(rt, said).text(); got.text() != want {
				rt.Fatalf("%q is answered %q, alone %q", said, got.text(), want)
			}
			path := fmt.Sprintf("%q", said)
			if other, ok := paths[got.ID]; ok && other != path {
				rt.Fatalf("%s and %s are one response", path, other)
			}
			paths[got.ID] = path
			tree = append(tree, node{got.ID, said})
		}
	})
}

// What a request sends as text never breaks the reading of histories.
func FuzzHistory(f *testing.F) {
	f.Add(`[{"role":"user","content":"a"}]`)
	f.Add(`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]},{"role":"assistant","content":null},{"role":"user","content":"b"}]`)
	f.Add(`[{"type":"function_call_output"},{"role":"tool","content":{}}]`)
	f.Fuzz(func(t *testing.T, raw string) {
		said, err := takeHistory([]byte(raw), "messages")
		if err != nil {
			return
		}
		if len(said) == 0 || said[len(said)-1].role != user {
			t.Fatalf("%q ends without the user: %v", raw, said)
		}
		owner := memory.Key{UserID: "u", AgentID: "a"}
		last := len(said)
		for _, e := range exchanges(said) {
			if e.upTo >= last || e.upTo < 1 || said[e.upTo-1].role != user {
				t.Fatalf("%q: exchange up to %d after %d", raw, e.upTo, last)
			}
			last = e.upTo
			if names := (digests{}).history(owner, "history", said, e.upTo, len(said)); names[0] == names[1] {
				t.Fatalf("%q: two histories with one digest", raw)
			}
		}
	})
}

func FuzzRef(f *testing.F) {
	f.Add("resp_YTox")
	f.Add(ref{"a:b", 7}.id(responsePrefix))
	f.Fuzz(func(t *testing.T, id string) {
		r, ok := parseRef(id)
		if !ok {
			return
		}
		if r.turn < 1 || r.id(responsePrefix) != id {
			t.Fatalf("%q is read as %+v", id, r)
		}
	})
}
