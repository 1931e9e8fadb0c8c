package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// hostile are characters that affect a terminal or mislead its reader, by their effect.
var hostile = map[string]string{
	"escape":         "\x1b]0;owned\x07\x1b[2J",
	"C1":             "\u009b31m\u0085\u0090",
	"C0":             "\a\b\v\x00\x7f",
	"override":       "\u202a\u202b\u202c\u202d\u202e",
	"isolate":        "\u2066\u2067\u2068\u2069",
	"mark":           "\u200e\u200f\u061c",
	"line separator": "\u2028\u2029",
}

// rawControl returns a character that must not reach a terminal or a log, or "".
func rawControl(out []byte) string {
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		bad := unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
		if bad || r == utf8.RuneError && n == 1 {
			return fmt.Sprintf("%q in %q", out[i:i+n], out[max(0, i-40):min(len(out), i+40)])
		}
		i += n
	}
	return ""
}

// echoAgent says hostile text three ways: as what the person said, as what a tool gave, as
// its own words.
const echoAgent = `version: 1
agent: {id: echo, description: %[1]s, language: en}
params:
  note: {type: text, validation: {max: 200}, prompt: %[1]s}
intents:
  - id: keep
    description: keep a note
    examples: [keep a note, take a note, write a note down]
    params: {required: [note]}
    plan:
      - call: look
        save: seen
      - respond: kept
  - id: other
    description: anything else
    examples: [blah blah, what nonsense]
    answer_only: true
    plan: [{respond: other}]
classifier: {fallback: other}
tools:
  look: {kind: static, effect: read, result: {word: %[1]s}}
responses:
  kept: "Kept {note}, seen {seen.word}."
  other: %[1]s
`

// hostileShop is a data folder with an agent, a conversation, and files that hold text.
type hostileShop struct {
	text, dir, agent string
}

func newHostileShop(t *testing.T, text string) *hostileShop {
	t.Helper()
	h := &hostileShop{text: text, dir: t.TempDir()}
	h.agent = h.file(t, "echo.yaml", fmt.Sprintf(echoAgent, strconv.QuoteToASCII("x"+text)))
	h.file(t, "wrong.yaml", "version: 1\n"+strconv.QuoteToASCII("no"+text)+": 1\n")
	h.file(t, "replay.yaml", fmt.Sprintf("conversation: %[1]s\nturns: [{user: %[1]s, expect: {reply: %[1]s}}]\n", strconv.QuoteToASCII("a"+text)))
	h.file(t, "text.md", "# Wool "+text+"\n\nWool "+text+" is warm.\n")
	h.file(t, "import.jsonl", `{"slotway_session": "`+text+"\"}\n")
	h.file(t, "keys.yaml", "keys:\n- {name: "+strconv.QuoteToASCII("k"+text)+", hash: 'sha256:1', user: u, scopes: [chat]}\n")
	h.file(t, "cases.jsonl", `{"text": "`+text+`"}`+"\n")
	return h
}

func (h *hostileShop) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(h.dir, name)
	writeTestFile(t, path, text)
	return path
}

func (h *hostileShop) path(name string) string { return filepath.Join(h.dir, name) }

// run runs a command and gives all that it wrote to either stream.
func (h *hostileShop) run(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	in := "keep a note\n" + h.text + " warm wool\n" + h.text + "\nkeep a note\n"
	common := []string{"--agent", h.agent, "--data", h.dir, "--set", "telemetry.log=stderr", "--set", "memory.strategy=hybrid"}
	run(t.Context(), append(common, args...), strings.NewReader(in), &out, &out)
	if found := rawControl(out.Bytes()); found != "" {
		t.Errorf("%q writes %s", args, found)
	}
	return out.String()
}

// TestNoCommandWritesControls: whatever a person, a tool or a file says, a command writes nothing
// that affects a terminal or a log.
func TestNoCommandWritesControls(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHostileShop(t, text)
			said := h.run(t, "chat", "--session", "s")
			if !strings.Contains(said, `\u`) {
				t.Errorf("the chat shows nothing of the text:\n%s", said)
			}
			for _, args := range [][]string{
				{"chat", "--json", "--session", "s2"},
				{"chat", "--redact", "--session", "s3"},
				{"sessions", "describe", "s", "--title", "t" + text, "--tag", "g"},
				{"sessions", "list"},
				{"sessions", "list", "--json", "--reveal"},
				{"sessions", "show", "s", "--reveal"},
				{"sessions", "show", "s", "--json"},
				{"sessions", "export", "s", "--reveal"},
				{"sessions", "export", "s"},
				{"sessions", "show", "no" + text},
				{"sessions", "fork", "s", "no" + text},
				{"sessions", "import", h.path("import.jsonl")},
				{"sessions", "clear", text},
				{"memory", "search", "wool", "--reveal"},
				{"memory", "search", "wool", "--reveal", "--json"},
				{"memory", "summarize", "s", "--reveal"},
				{"memory", "context", "s", "--text", "wool", "--reveal"},
				{"memory", "--set", "memory.compression.archive_conversations=true", "add", h.path("text.md")},
				{"memory", "--set", "memory.compression.archive_conversations=true", "documents"},
				{"memory", "jobs"},
				{"record", "s"},
				{"record", "no" + text},
				{"replay", h.path("replay.yaml")},
				{"replay", h.path("replay.yaml"), "--json"},
				{"replay", h.path("no" + strings.ReplaceAll(text, "\x00", ""))},
				{"check"},
				{"check", h.path("wrong.yaml")},
				{"check", h.path("wrong.yaml"), "--json"},
				{"check", "--probe"},
				{"classify"},
				{"classify", "--json"},
				{"graph"},
				{"config", "show", "--set", "models.chat.model=m" + text},
				{"config", "show", "--json", "--set", "models.chat.model=m" + text},
				{"config", "show", "--set", "telemetry.level=" + text},
				{"config", "show", "--set", text},
				{"keys", "list", "--set", "server.auth.keys_file=" + h.path("keys.yaml")},
				{"keys", "new", "--name", "k" + text, "--user", "u"},
				{"eval", "nlu", "--train", h.agent, "--test", h.path("cases.jsonl")},
				{"eval", "entities", "--cases", h.path("cases.jsonl")},
				{"store", "copy", "--from", text, "--to", text},
				{"db", "check", h.path("echo.yaml")},
				{"mcp", "--user", "u" + text},
				{"migrate", text},
				{text},
				{"chat", "--" + text},
				{"chat", "--url", text},
			} {
				h.run(t, args...)
			}
		})
	}
}

// TestTheRemoteChatWritesNoControls: the same for what a server says.
func TestTheRemoteChatWritesNoControls(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			quoted := strings.ReplaceAll(strconv.QuoteToASCII("x"+text), `\x`, `\u00`)
			quoted = strings.NewReplacer(`\a`, `\u0007`, `\v`, `\u000b`).Replace(quoted)
			refuse := false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/json")
				if refuse {
					w.Header().Set("Content-Type", "application/problem+json")
					w.WriteHeader(http.StatusBadRequest)
					_, _ = fmt.Fprintf(w, `{"code": %[1]s, "title": %[1]s, "detail": %[1]s}`, quoted)
					return
				}
				_, _ = fmt.Fprintf(w, `{"reply": %s, "session_id": "s", "turn": 1}`, quoted)
			}))
			defer server.Close()
			for _, refuse = range []bool{false, true} {
				for _, form := range [][]string{nil, {"--json"}} {
					var out bytes.Buffer
					run(t.Context(), append([]string{"chat", "--session", "s", "--url", server.URL}, form...), strings.NewReader("hello\n"), &out, &out)
					if found := rawControl(out.Bytes()); found != "" || !strings.Contains(out.String(), `\u`) {
						t.Errorf("%v, refused %v: %s\n%s", form, refuse, found, out.String())
					}
				}
			}
		})
	}
}

// TestTheScreenShowsNoControls: the same on a terminal, where the program draws.
func TestTheScreenShowsNoControls(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			h := newHostileShop(t, text)
			a, err := runtimetest.Try(t.Context(), runtimetest.Config{File: h.agent, Data: h.dir, Set: []string{"telemetry.log=none"}, Options: slotway.Options{NoHTTP: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = a.Close() }()
			c, screen := onScreen(&localBackend{app: a, user: "local"}, "s")
			for _, line := range []string{"keep a note", text + " warm wool", "/history", "/state", "/why", "/sessions", "/load no", "/save " + os.DevNull + text} {
				if err := c.line(t.Context(), line); err != nil {
					c.print("! " + err.Error())
				}
				if found := rawControl([]byte(strings.ReplaceAll(screen(), "\r\n", "\n"))); found != "" {
					t.Errorf("%q: the screen gets %s", line, found)
				}
			}
		})
	}
}
