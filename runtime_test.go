package slotway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// quiet opens an agent that keeps nothing and tells nothing.
func quiet(t *testing.T, file string, o *Options, set ...string) (*Runtime, error) {
	t.Helper()
	o.Set = map[string]string{"memory.storage": "inmem", "telemetry.log": "none", "memory.storage_path": filepath.Join(t.TempDir(), "memory.db")}
	for _, kv := range set {
		name, value, _ := strings.Cut(kv, "=")
		o.Set[name] = value
	}
	r, err := Open(t.Context(), file, o)
	if err == nil {
		t.Cleanup(func() {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return r, err
}

func say(ctx context.Context, r *Runtime, text string) (Reply, error) {
	return r.Handle(ctx, Interaction{Text: text, Context: Context{SessionID: "s"}})
}

// Without a function a tool of kind go is never called: nothing is answered before there is one.
func TestToolsWithoutAFunction(t *testing.T) {
	r, err := quiet(t, "docs/examples/tool/clinic.yaml", &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := say(t.Context(), r, "book an appointment"); !errors.Is(err, ErrUnregistered) || !strings.Contains(err.Error(), "tools book: ") {
		t.Errorf("Handle = %v", err)
	}
	if err := r.ready(t.Context()); !errors.Is(err, ErrUnregistered) {
		t.Errorf("it is ready: %v", err)
	}
	book := func(context.Context, struct{}) (string, error) { return "booked", nil }
	if err := RegisterTool(r, "boook", book); err == nil || !strings.Contains(err.Error(), `"boook"`) {
		t.Errorf("a tool that is not declared: %v", err)
	}
	if err := RegisterTool[struct{}, string](r, "book", nil); err == nil || !strings.Contains(err.Error(), "is nil") {
		t.Errorf("a function that is nil: %v", err)
	}
	if err := RegisterTool(r, "book", book); err != nil {
		t.Fatal(err)
	}
	if reply, err := say(t.Context(), r, "book an appointment"); err != nil || reply.Reply != "Which day?" {
		t.Errorf("%q, %v", reply.Reply, err)
	}
	if names := r.Unregistered(); len(names) > 0 {
		t.Errorf("without a function: %q", names)
	}
}

// A version whose tools have no function is not taken over.
func TestReloadWithoutAFunction(t *testing.T) {
	text, err := os.ReadFile("docs/examples/tool/clinic.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "clinic.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(string(text))
	r, err := quiet(t, file, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	keys := make(chan string, 1)
	book := func(ctx context.Context, in struct {
		Day string `json:"day"`
	},
	) (map[string]string, error) {
		keys <- IdempotencyKey(ctx)
		return map[string]string{"day": in.Day, "time": "noon"}, nil
	}
	if err := RegisterTool(r, "book", book); err != nil {
		t.Fatal(err)
	}
	write(strings.ReplaceAll(string(text), "book:", "reserve:") + "\n")
	write(strings.ReplaceAll(strings.ReplaceAll(string(text), "{call: book,", "{call: reserve,"), "  book: {", "  reserve: {"))
	if err := r.Reload(t.Context()); !errors.Is(err, ErrUnregistered) || !strings.Contains(err.Error(), "reserve") {
		t.Errorf("Reload = %v", err)
	}
	write(strings.Replace(string(text), "See you", "We see you", 1))
	if err := r.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"an appointment on monday", "yes"} {
		reply, err := say(t.Context(), r, text)
		if err != nil || text == "yes" && reply.Reply != "We see you on monday at noon." {
			t.Errorf("%q, %v", reply.Reply, err)
		}
	}
	if <-keys == "" {
		t.Error("a write has no key")
	}
}

// Without keys the handler answers this machine alone, whatever its server listens on.
func TestHandlerWithoutKeys(t *testing.T) {
	for _, test := range []struct {
		name, set, host string
		elsewhere       bool
		want            int
	}{
		{name: "here", want: http.StatusOK},
		{name: "a page of another name", host: "evil.example", want: http.StatusForbidden},
		{name: "another machine", elsewhere: true, want: http.StatusForbidden},
		{name: "another machine, knowingly", elsewhere: true, set: "server.auth.open=i_know", want: http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			var set []string
			if test.set != "" {
				set = append(set, test.set)
			}
			r, err := quiet(t, "", &Options{}, set...)
			if err != nil {
				t.Fatal(err)
			}
			h := r.Handler()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if test.elsewhere { // what a server knows on an address that others reach
					req = req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, away{}))
				}
				h.ServeHTTP(w, req)
			}))
			defer server.Close()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/chat", strings.NewReader(`{"message": "hello"}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			if test.host != "" {
				req.Host = test.host
			}
			res, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != test.want {
				t.Errorf("status %d, want %d", res.StatusCode, test.want)
			}
		})
	}
}

type away struct{}

func (away) Network() string { return "tcp" }
func (away) String() string  { return "192.0.2.1:80" }

// What the program does not link is named, with what to give it.
func TestDriversThatAreNotThere(t *testing.T) {
	for _, test := range []struct{ set, want string }{
		{"memory.storage=postgres", "Options.Drivers"},
		{"memory.vector_store.backend=pgvector", "Options.Vectors"},
		{"telemetry.otlp_endpoint=http://127.0.0.1:1", "Options.Traces"},
	} {
		set := []string{test.set, "memory.dsn=postgres://nobody@127.0.0.1:1/x"}
		if _, err := quiet(t, "", &Options{}, set...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.set, err, test.want)
		}
	}
}

// A runtime without HTTP says so.
func TestHandlerWithoutHTTP(t *testing.T) {
	r, err := quiet(t, "", &Options{NoHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "NoHTTP") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A store that was given is left open.
func TestStoreThatWasGiven(t *testing.T) {
	store := inmem.New(nil)
	r, err := quiet(t, "", &Options{Store: store, NoHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := say(t.Context(), r, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := store.Sessions(t.Context(), memory.Query{})
	if err != nil || len(list) != 1 {
		t.Errorf("%s, %v", fmt.Sprint(list), err)
	}
}

// plugged is a tier, an embedder and a reranker of the program that opens the agent.
type plugged struct{ texts, ranked int }

func (*plugged) Name() string   { return "plugged" }
func (*plugged) Model() string  { return "plugged/1" }
func (*plugged) Dimension() int { return 2 }

func (*plugged) Contribute(_ context.Context, _ memory.Request, c *memory.Context) error {
	c.Facts = append(c.Facts, memory.Fact{Key: "account", Value: "gold"})
	return nil
}

func (p *plugged) Embed(_ context.Context, texts []string) ([][]float32, error) {
	p.texts += len(texts)
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = []float32{1, 0}
	}
	return vectors, nil
}

func (p *plugged) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	p.ranked += len(texts)
	return make([]float64, len(texts)), nil
}

// What Options give takes part: a tier, and in the place of the settings' an embedder and a reranker.
func TestOwnMemory(t *testing.T) {
	store := inmem.New(nil)
	r, err := quiet(t, "", &Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	for range 12 { // more than the window has
		if _, err := say(t.Context(), r, "My kettle is blue"); err != nil {
			t.Fatal(err)
		}
	}
	p := &plugged{}
	m, err := OpenMemory(t.Context(), r.Agent(), store, &Options{
		Set: map[string]string{"memory.storage": "inmem", "memory.vector_store.enabled": "true"}, Tiers: []memory.Tier{p}, Embedder: p, Reranker: p,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, _, err := m.Reindex(t.Context(), "", func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	known, err := m.Context(t.Context(), memory.Key{UserID: "local", AgentID: r.Agent().ID, SessionID: "s"}, "which kettle is it?")
	if err != nil {
		t.Fatal(err)
	}
	if len(known.Facts) != 1 || p.texts == 0 || p.ranked == 0 {
		t.Errorf("facts %+v, %d texts compared, %d ranked", known.Facts, p.texts, p.ranked)
	}
}
