package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSettingsLayers(t *testing.T) {
	path := writeFile(t, "slotway.yaml", `
server: {limits: {body: 1MiB, rate: 600/m}, cors: ["https://a.example"]}
memory:
  max_turns: 5
  ttl: 2h
  durability: relaxed
  storage_path: ~/m.db
`)
	env := []string{"HOME=/home/ann", "MEMORY_MAX_TURNS=6", "MEMORY_TTL_MIN=15", "ENABLE_MEMORY=false", "SLOTWAY_MEMORY_MAX_TURNS=7", "SLOTWAY_MEMORY_DSN=postgres://u:secret@h/d", "PATH=/bin"}
	s, err := Load(path, env, map[string]string{"memory.durability": "durable", "memory.knowledge_base.search_triggers": "once, again"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, v := range s.Values() {
		if v.Source != "default" {
			got[v.Path] = []any{v.Value, strings.TrimPrefix(v.Source, path)}
		}
	}
	want := map[string]any{
		"server.limits.body":                    []any{"1MiB", ":2"},
		"server.limits.rate":                    []any{"10/s", ":2"},
		"server.cors":                           []any{[]any{"https://a.example"}, ":2"},
		"memory.enabled":                        []any{false, "environment ENABLE_MEMORY"},
		"memory.max_turns":                      []any{7.0, "environment SLOTWAY_MEMORY_MAX_TURNS"},
		"memory.ttl":                            []any{"15m", "environment MEMORY_TTL_MIN"},
		"memory.durability":                     []any{"durable", "flag"},
		"memory.storage_path":                   []any{filepath.FromSlash("/home/ann/m.db"), ":7"},
		"memory.dsn":                            []any{"(set)", "environment SLOTWAY_MEMORY_DSN"},
		"memory.knowledge_base.search_triggers": []any{[]any{"once", "again"}, "flag"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if s.Memory.TTL != 15*time.Minute || s.Server.Limits.Body != 1<<20 {
		t.Errorf("ttl %v, body %v", s.Memory.TTL, s.Server.Limits.Body)
	}
}

func TestSettingsDefaults(t *testing.T) {
	s, err := Load("", []string{"HOME=/h"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Memory.StoragePath != filepath.FromSlash("/h/.slotway/memory.db") || s.Server.Addr != "127.0.0.1:8080" {
		t.Errorf("defaults: %+v", s.Memory)
	}
	for _, v := range s.Values() {
		if v.Source != "default" {
			t.Errorf("%s comes from %s", v.Path, v.Source)
		}
	}
}

func TestSettingsProblems(t *testing.T) {
	path := writeFile(t, "slotway.yaml", `server: {adr: x, addr: nowhere, limits: {rate: fast, body: 5 apples}}
memory:
  storage: sqlit
  max_turns: 0
  rag: {min_similarity: 1.5}
  ttl: soon
  summary: yes
  enabled: maybe
  storage_path: [a]
telemetry: {level: loud}
models: {chat: {base_url: "ftp://x", api_key_env: "sk-12345"}}
`)
	env := []string{"HOME=/h", "SLOTWAY_MEMORY_MAX_TURN=3", "SLOTWAY_OTHER=1", "MEMORY_TTL_MIN=x"}
	_, err := Load(path, env, map[string]string{"memory.maxturns": "1", "memory.storage": "postgres"})
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	for _, want := range []string{
		`:1:10: server.adr: unknown key "adr", did you mean "addr"?`,
		`:1:24: server.addr: "nowhere" is no address; write HOST:PORT`,
		`"fast" is no rate; write 20/s`, `"5 apples" is no size; write 64KiB`,
		`:3:12: memory.storage: unknown value "sqlit", did you mean "sqlite"?`,
		`:4:14: memory.max_turns: 0 is below the least value 1; raise it`,
		`memory.rag.min_similarity: 1.5 is above the greatest value 1; lower it`,
		`memory.ttl: "soon" is no duration; write 90s`,
		`memory.summary: is text, not a map; write keys such as enabled`,
		`memory.enabled: "maybe" is not true or false`,
		`memory.storage_path: is a list, not a single value`,
		`telemetry.level: unknown value "loud"; known are debug, info, warn and error`,
		`models.chat.base_url: it is no URL`, `models.chat.api_key_env: it is no name of an environment variable`,
		`environment: SLOTWAY_MEMORY_MAX_TURN: no setting has this name, did you mean "SLOTWAY_MEMORY_MAX_TURNS"?`,
		`environment: MEMORY_TTL_MIN: "x" is no number of minutes; write digits alone, such as 60`,
		`flag: memory.maxturns: unknown setting, did you mean "memory.max_turns"?`,
		`settings: memory.dsn: is needed for storage postgres`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q", want)
		}
	}
	if strings.Contains(text, "sk-12345") || strings.Contains(text, "SLOTWAY_OTHER") {
		t.Error("quotes a key, or a variable that is none of ours")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestSizeAndRate(t *testing.T) {
	for in, want := range map[string]string{"64KiB": "64KiB", "1000": "1000B", "2 MB": "2000000B", "1048576": "1MiB", "0": "0B"} {
		if got, err := parseSize(in); err != nil || got.String() != want {
			t.Errorf("parseSize(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{"20/s": "20/s", "90/m": "90/m", "0": "0/s", "1/h": "1/h"} {
		if got, err := parseRate(in); err != nil || got.String() != want {
			t.Errorf("parseRate(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
	for _, bad := range []string{"-1", "9999999999GiB", "x", "1TiBB", ""} {
		if got, err := parseSize(bad); err == nil {
			t.Errorf("parseSize(%q) = %v", bad, got)
		}
	}
	for _, bad := range []string{"-1/s", "1", "1/d", "NaN/s", "Inf/s", ""} {
		if got, err := parseRate(bad); err == nil {
			t.Errorf("parseRate(%q) = %v", bad, got)
		}
	}
}

// The short name means what it says: a cap on the conversations that stay. A file that says whose
// is followed.
func TestMaxConversationsEvicts(t *testing.T) {
	for _, c := range []struct {
		environ []string
		flags   map[string]string
		want    string
	}{
		{nil, nil, "none"},
		{[]string{"SLOTWAY_MEMORY_MAX_CONVERSATIONS=2"}, nil, "none"},
		{[]string{"MEMORY_MAX_CONVERSATIONS=2"}, nil, "all"},
		{[]string{"MEMORY_MAX_CONVERSATIONS=2", "SLOTWAY_MEMORY_EVICT=user"}, nil, "user"},
		{[]string{"MEMORY_MAX_CONVERSATIONS=2"}, map[string]string{"memory.evict": "none"}, "none"},
	} {
		s, err := Load("", append(c.environ, "HOME=/home/ann"), c.flags)
		if err != nil || s.Memory.Evict != c.want {
			t.Errorf("%q, %v: evict is %q, want %q (%v)", c.environ, c.flags, s.Memory.Evict, c.want, err)
		}
	}
}

// The variables of the second seed are read as it reads them, and say where a value comes from.
func TestShortNames(t *testing.T) {
	s, err := Load("", []string{
		"HOME=/h", "ENABLE_MEMORY=true\r", "MEMORY_MAX_TURNS=0", "MEMORY_TTL_MIN=1.5", "MEMORY_MAX_CONVERSATIONS=-2\r\n", "SLOTWAY_TELEMETRY_LEVEL=warn\r",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, v := range s.Values() {
		if v.Source != "default" {
			got[v.Path] = []any{v.Value, v.Source}
		}
	}
	want := map[string]any{
		"memory.enabled":           []any{true, "environment ENABLE_MEMORY"},
		"memory.max_turns":         []any{1.0, "environment MEMORY_MAX_TURNS"},
		"memory.ttl":               []any{"1m30s", "environment MEMORY_TTL_MIN"},
		"memory.max_conversations": []any{1.0, "environment MEMORY_MAX_CONVERSATIONS"},
		"memory.evict":             []any{"all", "environment MEMORY_MAX_CONVERSATIONS"},
		"telemetry.level":          []any{"warn", "environment SLOTWAY_TELEMETRY_LEVEL"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"MEMORY_TTL_MIN=5m", "MEMORY_TTL_MIN=-1", "MEMORY_MAX_TURNS=x"} {
		if _, err := Load("", []string{"HOME=/h", bad}, nil); err == nil || !strings.Contains(err.Error(), bad[:strings.Index(bad, "=")]) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A list setting reads the form that it is shown in, and a list with commas.
func TestLists(t *testing.T) {
	for text, want := range map[string][]string{
		"": {}, "[]": {}, "a": {"a"}, "a, b c": {"a", "b c"}, "[support, helper]": {"support", "helper"}, ` ["a, b", yes, 'n o', "1"]`: {"a, b", "yes", "n o", "1"},
	} {
		s, err := Load("", []string{"HOME=/h"}, map[string]string{"server.agent_aliases": text})
		if err != nil || !slices.Equal(s.Server.AgentAliases, want) {
			t.Errorf("%q: %q, %v", text, s.Server.AgentAliases, err)
		}
	}
	for _, bad := range []string{"[a", "[a] b", "[{a: b}]", "[1]"} {
		if s, err := Load("", []string{"HOME=/h"}, map[string]string{"server.agent_aliases": bad}); err == nil {
			t.Errorf("%q: %q", bad, s.Server.AgentAliases)
		}
	}
	odd := []any{"a", "", "a b", "a, b", "[x", "yes", "null", "1", "1.5", "~", "a: b", "a #b", `"`, "'", "-", "\n", "é", "x ", "2020-01-01", "0x1", "*", "http://h/*"}
	got, err := readList(ShowList(odd))
	if err != nil || len(got) != len(odd) {
		t.Fatalf("%s: %q, %v", ShowList(odd), got, err)
	}
	for i, want := range odd {
		if got[i] != want {
			t.Errorf("%q is read as %q", want, got[i])
		}
	}
	for _, v := range Default().Values() {
		if list, ok := v.Value.([]any); ok {
			if _, err := Load("", []string{"HOME=/h"}, map[string]string{v.Path: ShowList(list)}); err != nil {
				t.Errorf("%s=%s: %v", v.Path, ShowList(list), err)
			}
		}
	}
}
