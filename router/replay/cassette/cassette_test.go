package cassette_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/cassette"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/replay"
)

var update = flag.Bool("update", false, "write the transcripts as they are now")

// TestConversations plays every conversation that is on tape, and compares every word of it, the calls with
// their arguments, and how each message was taken.
func TestConversations(t *testing.T) {
	files, err := cassette.Files("../../..")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	recorded, all := 0, 0
	t.Run("files", func(t *testing.T) {
		for file, tape := range files {
			t.Run(tape, func(t *testing.T) {
				t.Parallel()
				on, of := playFile(t, file, filepath.Join("testdata", tape))
				mu.Lock()
				defer mu.Unlock()
				recorded, all = recorded+on, all+of
			})
		}
	})
	t.Logf("%d of %d conversations are on tape", recorded, all)
	if 10*recorded < 9*all {
		t.Errorf("%d of %d conversations are on tape; package cassette says how they are recorded", recorded, all)
	}
}

// playFile plays the conversations of a file that are on tape, and says how many are, and how many
// there are.
func playFile(t *testing.T, file, on string) (recorded, all int) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := replay.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	tapes, err := cassette.Load(on + cassette.Ext)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, c := range list {
		tape := tapes[c.Name]
		if tape == nil {
			t.Logf("%s:%d: %q is not on tape", file, c.Line, c.Name)
			continue
		}
		recorded++
		fmt.Fprintf(&said, "# %s\n", c.Name)
		c.Telemetry = "" // a tape has no times
		s := &scene{player: cassette.NewPlayer(tape), stores: map[string]memory.Backend{}, said: &said}
		for _, f := range replay.Run(t.Context(), c, s.open, nil).Failures {
			t.Errorf("%s:%d: turn %d: %s", file, f.Line, f.Turn, f.Diff)
		}
		if left := s.player.Left(); left != "" {
			t.Errorf("%s:%d: %s", file, c.Line, left)
		}
		said.WriteString("\n")
	}
	compare(t, on+".txt", said.String())
	return recorded, len(list)
}

// compare holds what was said against the transcript.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got); where the difference is meant, go test ./router/replay/cassette -update\n%s", path, diff)
	}
}

// scene is one conversation with what it runs on.
type scene struct {
	player *cassette.Player
	stores map[string]memory.Backend // by the folder that they would be in
	said   *strings.Builder
}

var agents sync.Map // by path

func (s *scene) open(_ context.Context, setup replay.Setup) (replay.Runtime, error) {
	def, err := agentOf(setup.Agent)
	if err != nil {
		return nil, err
	}
	store := s.stores[setup.Dir]
	if store == nil {
		store = inmem.New(nil)
		s.stores[setup.Dir] = store
	}
	p := s.player.Deps(def)
	r := router.New(def, p.Classifier, memory.NewConversations(store, 20), p.Tools, &router.Options{Sink: setup.Sink, Now: setup.Now})
	return &actor{s, r}, nil
}

func agentOf(path string) (*config.Agent, error) {
	if def, ok := agents.Load(path); ok {
		return def.(*config.Agent), nil
	}
	load := func() (*config.Agent, error) { return config.Load(path) }
	if path == "" {
		load = config.Default
	}
	def, err := load()
	if err == nil {
		agents.Store(path, def)
	}
	return def, err
}

// actor is a router that writes down what is said.
type actor struct {
	*scene
	router *router.Router
}

func (a *actor) Close() error { return nil }

func (a *actor) Handle(ctx context.Context, in router.Interaction) (router.Reply, error) {
	from := len(a.player.Played())
	reply, trace, err := a.router.Trace(ctx, in)
	fmt.Fprintf(a.said, "> %s\n", brief(in.Text))
	for _, x := range trace.Interpretation.Chosen {
		fmt.Fprintf(a.said, "  %s %s %.2f\n", x.Rule, x.Intent, x.Score)
	}
	for _, left := range reply.Unheard {
		fmt.Fprintf(a.said, "  left %q\n", left.Text)
	}
	for _, c := range a.player.Played()[from:] {
		fmt.Fprintf(a.said, "  %s %s %s\n", c.Tool, text(c.Args), c.Code)
	}
	fmt.Fprintf(a.said, "  knows %s\n< %s\n", text(reply.Params), reply.Reply)
	return reply, err
}

// brief is a message of which only the length matters when it is very long.
func brief(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", text[:most], len(text))
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
