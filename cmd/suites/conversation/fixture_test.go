package conversation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// stage is an agent with storage in memory, a clock that stands still, and tools that only count.
// The properties of conversations are tested on it.
type stage struct {
	name  string
	app   *slotway.Runtime
	def   *config.Agent
	opens map[string]string   // by intent, a message that begins it
	says  map[string][]string // by param, values as people say them
	spots []*spot             // where the properties are tried

	sessions atomic.Int64
	mu       sync.Mutex        // guards meant
	meant    map[string]string // by param and words, the value that a task takes
}

// spot is a point in a conversation: a confirmation, or the question for a text.
type spot struct {
	*stage
	intent string
	param  *config.Param // the text that is asked for; nil: a confirmation
	asked  router.Reply  // the question
	params []string      // of the task, in the order in which they were asked
	saved  []byte        // the session as it stands there
}

func (s *spot) String() string {
	if s.param != nil {
		return s.name + "/" + s.intent + "?" + s.param.Name
	}
	return s.name + "/" + s.intent
}

// theDay returns the time of the conversations.
func theDay() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

const talker1 = "ann" // who talks in these tests

// stages opens the agents of testdata/talk/agents and some drawn ones, once for all tests.
var stages = sync.OnceValues(func() ([]*stage, error) {
	files, err := filepath.Glob("testdata/talk/agents/*.yaml")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%d agents: %w", len(files), err)
	}
	all, err := drawnStages()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		def, err := config.Load(file)
		if err != nil {
			return nil, err
		}
		hints, err := os.ReadFile(strings.TrimSuffix(file, "yaml") + "txt")
		if err != nil {
			return nil, err
		}
		s := &stage{name: strings.TrimSuffix(filepath.Base(file), ".yaml"), def: def}
		s.hints(string(hints))
		all = append(all, s)
	}
	errs := make([]error, len(all))
	var work sync.WaitGroup
	for i, s := range all {
		work.Go(func() {
			if err := s.open(); err != nil {
				errs[i] = fmt.Errorf("%s: %w", s.name, err)
			}
		})
	}
	work.Wait()
	return all, errors.Join(errs...)
})

// inSample reports whether an entry of a list is tried. Runs without heavy tests, and those under
// the race detector, try a fixed part. What fails in the part fails in the whole, too, so the known
// counts bound both. The step is a prime, so that the part has some of everything that alternates.
func inSample(i int) bool {
	const step = 11
	return programtest.Heavy() || i%step == 0
}

// sampled returns the part of a list that is tried.
func sampled[T any](list []T) []T {
	var out []T
	for i, v := range list {
		if inSample(i) {
			out = append(out, v)
		}
	}
	return out
}

// hints reads how tasks begin and how people say values.
func (s *stage) hints(text string) {
	s.opens, s.says = map[string]string{}, map[string][]string{}
	for line := range strings.Lines(text) {
		name, what, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		if intent, ok := strings.CutPrefix(name, "open "); ok {
			s.opens[intent] = what
			continue
		}
		s.says[name] = strings.Split(what, " | ")
	}
}

// open opens the agent and finds its spots.
func (s *stage) open() error {
	dir, err := os.MkdirTemp("", "talk")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := s.wire(dir, map[string]tools.Tool{}); err != nil {
		return err
	}
	for _, in := range s.def.Intents {
		if s.opens[in.ID] == "" {
			continue
		}
		if err := s.walk(in); err != nil {
			return fmt.Errorf("%s: %w\n%s", in.ID, err, s.opens[in.ID])
		}
	}
	return nil
}

// wire opens the runtime of the stage.
func (s *stage) wire(dir string, scripted map[string]tools.Tool) error {
	var err error
	s.app, err = runtimetest.Try(context.Background(), runtimetest.Config{Data: dir, Set: []string{"memory.storage=inmem", "telemetry.log=none", "memory.max_conversations=100000"}, Options: slotway.Options{
		NoHTTP: true,
		Agent:  s.def, Now: theDay, Tools: scripted,
	}})
	return err
}

// walk goes to the confirmation of an intent. It saves the session at each question for a text on
// the way, and at the end.
func (s *stage) walk(in *config.Intent) error {
	session := s.fresh()
	reply, err := s.say(session, s.opens[in.ID])
	var params []string
	for range 12 {
		if err != nil {
			return err
		}
		switch {
		case reply.Confirming != nil:
			return s.keep(&spot{intent: in.ID, asked: reply, params: params}, session)
		case reply.Asked == nil:
			return fmt.Errorf("neither asked nor to be confirmed: %q", reply.Reply)
		}
		p := in.Param(*reply.Asked)
		if p == nil || len(s.says[p.Name]) == 0 {
			return fmt.Errorf("asked for %s, of which no value is known", *reply.Asked)
		}
		params = append(params, p.Name)
		if p.Type.Builtin == "text" {
			if err := s.keep(&spot{intent: in.ID, param: p, asked: reply, params: params}, session); err != nil {
				return err
			}
		}
		reply, err = s.say(session, s.says[p.Name][0])
	}
	return fmt.Errorf("no confirmation after 12 turns: %q", reply.Reply)
}

// fresh is the name of a session that nobody had. All are equally long.
func (s *stage) fresh() string { return fmt.Sprintf("talk-%09d", s.sessions.Add(1)) }

// keep saves a session as the one of a spot.
func (s *stage) keep(at *spot, session string) error {
	var b bytes.Buffer
	if err := s.app.Store().Export(context.Background(), memory.Key{UserID: talker1, AgentID: s.def.ID, SessionID: session}, &b); err != nil {
		return err
	}
	at.stage, at.saved = s, bytes.ReplaceAll(b.Bytes(), []byte(session), []byte("talk-SESSION__"))
	s.spots = append(s.spots, at)
	return nil
}

// say is one turn.
func (s *stage) say(session, text string) (router.Reply, error) {
	return s.app.Router().Handle(context.Background(), router.Interaction{Text: text, Context: router.Context{SessionID: session, UserID: talker1}})
}

// again begins a session that stands as the spot does.
func (s *spot) again(t testing.TB) (session string) {
	t.Helper()
	session = s.fresh()
	saved := bytes.ReplaceAll(s.saved, []byte("talk-SESSION__"), []byte(session))
	if n, err := s.app.Store().Import(context.Background(), bytes.NewReader(saved)); err != nil || n != 1 {
		t.Fatalf("%s: %d sessions, %v", s, n, err)
	}
	return session
}

// hear says one thing at the spot. It reports whether there was a reply.
func (s *spot) hear(t testing.TB, c *tally, text string) (router.Reply, bool) {
	t.Helper()
	return s.hearIn(t, c, s.again(t), text)
}

// hearIn says one thing in a session. It reports whether there was a reply.
func (s *spot) hearIn(t testing.TB, c *tally, session, text string) (router.Reply, bool) {
	t.Helper()
	c.try()
	reply, err := s.say(session, text)
	if err != nil {
		c.add("ERROR", "%s: %q: %v", s, text, err)
	}
	return reply, err == nil
}

// taken is the value that the task takes where a param is asked for and these words are said.
// It reports whether it takes one.
func (s *spot) taken(param, words string) (any, bool) {
	session := s.fresh()
	reply, err := s.say(session, s.opens[s.intent])
	for range 12 {
		if err != nil || reply.Asked == nil {
			break
		}
		asked := *reply.Asked
		said := s.says[asked][0]
		if asked == param {
			said = words
		}
		reply, err = s.say(session, said)
		if asked == param {
			v, ok := reply.Params[param]
			return v, ok
		}
	}
	return nil, false
}

// writes counts the calls with an effect.
func (s *stage) writes(r *router.Reply) int {
	n := 0
	for _, c := range r.ToolCalls {
		if tool := s.def.Tools[c.Tool]; tool != nil && tool.Effect == config.EffectWrite {
			n++
		}
	}
	return n
}

// changed names the params with another value than before, except those that are no longer known
// because their task has ended.
func changed(before, after *router.Reply) []string {
	var out []string
	for name, v := range after.Params {
		if was, known := before.Params[name]; !known || fmt.Sprint(was) != fmt.Sprint(v) {
			out = append(out, fmt.Sprintf("%s: %v -> %v", name, was, v))
		}
	}
	slices.Sort(out)
	return out
}

// eachSpot runs f in parallel at all confirmations, or at all questions for a text.
func eachSpot(t *testing.T, texts bool, f func(*testing.T, *spot)) {
	t.Helper()
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("spots", func(t *testing.T) {
		for _, s := range all {
			for _, at := range s.spots {
				if (at.param != nil) == texts {
					t.Run(at.String(), func(t *testing.T) { t.Parallel(); f(t, at) })
				}
			}
		}
	})
}
