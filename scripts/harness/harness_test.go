package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/slotway/slotway/config"
)

func TestAgentsAreClean(t *testing.T) {
	for _, name := range []string{"CANARY_URL", "CANARY_SECRET", "CANARY_NUMBER", "CRASH_TOOL", "CRASH_TOOLS", "CRASH_LEDGER", "FAILOVER_PAD"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	for _, name := range []string{Canary, Ledger, Listener, Notes, Soak} {
		path, err := WriteAgent(t.TempDir(), name)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := config.Examine(path); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var tail Tail
	for range 10 {
		fmt.Fprintf(&tail, "%s\n", strings.Repeat("x", tailBytes/4))
	}
	fmt.Fprint(&tail, "the end")
	said := tail.String()
	if tail.Lines() != 10 || len(said) > 2*tailBytes || len(said) < tailBytes || !strings.HasSuffix(said, "x\nthe end") {
		t.Errorf("%d lines, %d bytes", tail.Lines(), len(said))
	}
	if tail.Reset(); tail.Lines() != 0 || tail.String() != "" {
		t.Error("something is left")
	}
}

// begin starts a shell that runs a script, and ends it with the test.
func begin(t *testing.T, script string) *Program {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Begin(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it is under way
		t.Fatal(err)
	}
	return p
}

func TestProgramEnds(t *testing.T) {
	willing := begin(t, `trap 'exit 3' TERM; echo; while :; do sleep 0.01; done`)
	if !willing.Running() || !willing.End(syscall.SIGTERM, Patience) || willing.State().ExitCode() != 3 || willing.Killed() {
		t.Errorf("asked to end: %s", willing.State())
	}
	if willing.Running() || willing.Signal(syscall.SIGTERM) || willing.Children() != nil {
		t.Error("it is still there")
	}
	stubborn := begin(t, `trap '' TERM; echo; while :; do sleep 0.01; done`)
	if stubborn.End(syscall.SIGTERM, 0) || !stubborn.Killed() {
		t.Errorf("killed: %s", stubborn.State())
	}
	parent := begin(t, `sleep 1000 & echo; wait`)
	children := parent.Children()
	if len(children) != 1 || syscall.Kill(children[0], syscall.SIGKILL) != nil {
		t.Errorf("children %v", children)
	}
	var none *Program
	if none.Kill(); none.Running() || none.Signal(syscall.SIGTERM) {
		t.Error("there is none")
	}
}

func TestClient(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/metrics":
			fmt.Fprint(w, "# HELP a of something\na 2\nb{c=\"d\"} 0.5\n")
		case "/no":
			http.Error(w, "no", http.StatusConflict)
		default:
			fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Header.Get("Content-Type"), r.Header.Get("X-A"), body)
		}
	}))
	defer server.Close()
	c := &Client{Addr: server.Listener.Addr().String(), HTTP: server.Client(), Header: http.Header{"X-A": {"all"}}}
	for _, test := range []struct {
		body any
		want string
	}{
		{nil, "POST  all "},
		{[]byte("{"), "POST application/json all {"},
		{Message{Text: "hello", Session: "s", ID: "m"}, `POST application/json all {"message":"hello","conversation_id":"s","message_id":"m"}`},
	} {
		res, err := c.Do(t.Context(), http.MethodPost, "/", test.body, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if string(got) != test.want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, test.want)
		}
	}
	var refused *Refusal
	if _, err := c.Get(t.Context(), "/no"); !errors.As(err, &refused) || refused.Status != http.StatusConflict || !Repeatable(refused.Status) {
		t.Error(err)
	}
	if m, err := c.Metrics(t.Context()); err != nil || len(m) != 2 || m["a"] != 2 || m[`b{c="d"}`] != 0.5 {
		t.Errorf("%v, %v", m, err)
	}
}

// verdict is a report of one violation, or of none.
type verdict struct {
	Bad string `json:"bad"`
}

func (v *verdict) Print(out io.Writer) { fmt.Fprintln(out, "found:", v.Bad) }

func (v *verdict) Violations() []string {
	var bad Violations
	bad.If(v.Bad != "", v.Bad)
	return bad
}

func TestConclude(t *testing.T) {
	for _, c := range []struct {
		bad         string
		json        bool
		code        int
		out, errors string
	}{
		{"", false, 0, "found: \n", ""},
		{"it burns", false, 1, "found: it burns\n", "x: it burns\n"},
		{"it burns", true, 1, `{"bad":"it burns"}` + "\n", "x: it burns\n"},
	} {
		var stdout, stderr bytes.Buffer
		code := Conclude(&verdict{c.bad}, c.json, &stdout, &stderr, "x: ")
		if code != c.code || stdout.String() != c.out || stderr.String() != c.errors {
			t.Errorf("%+v: %d, %q, %q", c, code, stdout.String(), stderr.String())
		}
	}
}

func TestStoryIsASentence(t *testing.T) {
	if got := len(strings.Fields(Story(rand.New(rand.NewPCG(1, 1))))); got < 5 {
		t.Errorf("%d words", got)
	}
}
