package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// version is one definition whose every part says which one it is of: what the classifier
// finds, what the tool adds and what the response says must be the same.
type version struct {
	number int
	closed atomic.Bool
	inside func() // called within the tool; nil: nothing
	t      testing.TB
}

const versionYAML = `
version: 1
agent: {id: versions}
params: {seen: {type: text}}
intents:
  - id: tell
    examples: [tell me, say it, which one]
    params: {required: [seen]}
    plan:
      - call: which
        with: {seen: $seen}
        save: tool
      - respond: told
tools: {which: {kind: go, effect: read, retries: 0}}
responses: {told: "v%d {seen} {tool}"}
`

func (v *version) parts() router.Deps {
	v.t.Helper()
	def, err := config.Parse("versions.yaml", fmt.Appendf(nil, versionYAML, v.number), "")
	if err != nil {
		v.t.Fatal(err)
	}
	return router.Deps{Agent: def, Classifier: v, Tools: v}
}

func (v *version) name() string { return fmt.Sprintf("v%d", v.number) }

func (v *version) Classify(context.Context, classifier.Input) (message.Result, error) {
	return message.Result{
		Intent: "tell", Confidence: 1, Exact: true,
		Params: []message.Value{{Param: "seen", Value: v.name(), Text: "x", End: 1, Source: "pattern"}},
	}, nil
}

func (v *version) Spec(string) *tools.Spec { return nil }

func (v *version) Call(context.Context, tools.Call) (tools.Result, error) {
	if v.inside != nil {
		v.inside()
	}
	if v.closed.Load() {
		v.t.Errorf("the tools of version %d are called after they were closed", v.number)
	}
	return tools.Result{Value: v.name(), Attempts: 1}, nil
}

func newVersioned(t testing.TB, v *version, store memory.Backend) *router.Router {
	p := v.parts()
	return router.New(p.Agent, p.Classifier, memory.NewConversations(store, 20), p.Tools, nil)
}

func tellIn(r *router.Router, session string) (string, error) {
	reply, err := r.Handle(context.Background(), router.Interaction{Text: "x", Context: router.Context{SessionID: session}})
	return reply.Reply, err
}

// Turns of many sessions run while versions follow each other: no reply mixes two
// versions, and the tools of each are closed once, when no turn is left on them.
func TestSwapUnderLoad(t *testing.T) {
	const swaps, talkers = 200, 8
	first := &version{t: t}
	r := newVersioned(t, first, inmem.New(nil))
	stop := make(chan struct{})
	var turns atomic.Int64
	var talking, closing sync.WaitGroup
	for i := range talkers {
		talking.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				text, err := tellIn(r, fmt.Sprintf("%d-%d", i%3, n%4)) // several talkers in one session, too
				if err != nil {
					t.Errorf("Handle: %v", err)
					return
				}
				words := strings.Fields(text)
				if len(words) != 3 || words[0] != words[1] || words[1] != words[2] {
					t.Errorf("reply %q mixes versions", text)
				}
				turns.Add(1)
			}
		})
	}
	var closed atomic.Int64
	old := first
	for n := 1; n <= swaps; n++ {
		next := &version{t: t, number: n}
		for before := turns.Load(); turns.Load() < before+3 && !t.Failed(); { // some turns run on each version
			if _, err := tellIn(r, "own"); err != nil {
				t.Fatal(err)
			}
			turns.Add(1)
		}
		unused, err := r.Swap(next.parts())
		if err != nil {
			t.Fatal(err)
		}
		gone := old
		closing.Go(func() {
			<-unused
			if gone.closed.Swap(true) {
				t.Errorf("version %d is closed twice", gone.number)
			}
			closed.Add(1)
		})
		old = next
	}
	close(stop)
	talking.Wait()
	closing.Wait()
	if closed.Load() != swaps {
		t.Errorf("%d versions were closed, want %d", closed.Load(), swaps)
	}
	if old.closed.Load() {
		t.Error("the current version was closed")
	}
	if text, err := tellIn(r, "own"); text != fmt.Sprintf("v%d v%d v%d", swaps, swaps, swaps) || err != nil {
		t.Errorf("after the last swap: %q, %v", text, err)
	}
}

// A turn under way keeps its version to the end, through a re-run too; the turn that
// waits behind it in the same session begins with the new one.
func TestATurnKeepsItsVersion(t *testing.T) {
	inside, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	first := &version{t: t, inside: func() {
		once.Do(func() {
			close(inside)
			<-goOn
		})
	}}
	store := &routertest.Store{Backend: inmem.New(nil)}
	store.OnCommit(func(*memory.Delta) error { return memory.ErrConflict }) // the turn runs a second time
	r := newVersioned(t, first, store)
	var replies [2]string // by turn: who leaves the line first need not be first to tell
	var wg sync.WaitGroup
	say := func(turn int) {
		text, err := tellIn(r, "s")
		if err != nil {
			t.Errorf("Handle: %v", err)
		}
		replies[turn] = text
	}
	wg.Go(func() { say(0) })
	<-inside
	second := &version{t: t, number: 1}
	unused, err := r.Swap(second.parts())
	if err != nil {
		t.Fatal(err)
	}
	wg.Go(func() { say(1) })
	select {
	case <-unused:
		t.Fatal("the old parts are given back while a turn runs on them")
	default:
	}
	close(goOn)
	wg.Wait()
	if replies != [2]string{"v0 v0 v0", "v1 v1 v1"} {
		t.Errorf("replies %q, want the old version and then the new one", replies)
	}
	<-unused
}

func TestSwapRefusesAnotherAgent(t *testing.T) {
	first := &version{t: t}
	r := newVersioned(t, first, inmem.New(nil))
	other := (&version{t: t, number: 1}).parts()
	def := *other.Agent
	def.ID = "somebody"
	other.Agent = &def
	if _, err := r.Swap(other); !errors.Is(err, router.ErrOtherAgent) {
		t.Errorf("Swap to another agent: %v, want ErrOtherAgent", err)
	}
	if _, err := r.Swap(router.Deps{Agent: r.Agent()}); err == nil {
		t.Error("Swap to parts without tools is accepted")
	}
	if text, err := tellIn(r, "s"); text != "v0 v0 v0" || err != nil {
		t.Errorf("after refused swaps: %q, %v", text, err)
	}
}
