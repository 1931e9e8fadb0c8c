//go:build unix

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/scripts/harness"
)

// followed is a `slotway serve` process and the agent's file, which a test spoils.
type followed struct {
	*programtest.Process

	t    *testing.T
	path string
}

// serveDesk starts the process.
func serveDesk(t *testing.T) *followed {
	t.Helper()
	f := &followed{t: t, path: filepath.Join(t.TempDir(), "desk.yaml")}
	f.write("shelf.sql", "CREATE TABLE shelf (item TEXT, place TEXT) STRICT; INSERT INTO shelf VALUES ('I-7', 'row 3');")
	f.write("more.jsonl", `{"text": "until when are you there"}`)
	f.write("desk.yaml", f.version("Found"))
	f.Process = programtest.Start(t, t.TempDir(), "--agent", f.path, "--set", "memory.storage=inmem")
	t.Cleanup(func() {
		f.Stop(t)
		if text := f.Output.String(); crashed.MatchString(text) {
			t.Errorf("the service said:\n%s", text)
		}
	})
	return f
}

func (f *followed) version(word string) string { return fmt.Sprintf(deskYAML(f.t), word) }

func (f *followed) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(f.path), name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// replace replaces the agent's file atomically, as an editor does.
func (f *followed) replace(text string) {
	f.t.Helper()
	f.write("next", text)
	if err := os.Rename(filepath.Join(filepath.Dir(f.path), "next"), f.path); err != nil {
		f.t.Fatal(err)
	}
}

// logged returns how much the process has written to standard error.
func (f *followed) logged() int { return len(f.Output.String()) }

// hears waits until the log says something after the first from bytes, and returns all after them.
func (f *followed) hears(from int, what string) (text string) {
	f.t.Helper()
	err := harness.Await(f.t.Context(), fmt.Sprintf("the log to say %q", what), func() bool {
		text = f.Output.String()[from:]
		i := strings.Index(text, what)
		return i >= 0 && strings.Contains(text[i:], "\n")
	}, f.Exited())
	if err != nil {
		f.t.Fatalf("%v:\n%s", err, text)
	}
	return text
}

// find asks for an item and expects the answer of one version.
func (f *followed) find(session, text, want string) {
	f.t.Helper()
	got := f.Chat(f.t, fmt.Sprintf(`{"message":%q,"conversation_id":%q}`, text, session))
	if got["reply"] != want {
		f.t.Errorf("%q is answered %q, want %q", text, got["reply"], want)
	}
}

// proc reads the peak of the process's resident memory, in KiB, and the number of its descriptors.
func (f *followed) proc() (peakKB, descriptors int) {
	f.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.Pid()))
	if err != nil {
		f.t.Skipf("a process cannot be looked at here: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			peakKB, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", f.Pid()))
	if err != nil {
		f.t.Fatal(err)
	}
	return peakKB, len(list)
}

// mend writes a valid version and waits until the process has loaded it.
func (f *followed) mend(word string) {
	f.t.Helper()
	from := f.logged()
	if err := os.RemoveAll(f.path); err != nil {
		f.t.Fatal(err)
	}
	f.replace(f.version(word))
	f.hears(from, "is reloaded, version")
}

// goroutines returns how many the process says it has.
func (f *followed) goroutines() int {
	f.t.Helper()
	metrics, err := f.Metrics(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	n, ok := metrics["go_goroutines"]
	if !ok {
		f.t.Fatal("/metrics does not count goroutines")
	}
	return int(n)
}

// spoilings replace the agent's file by something else. says is a part of the error.
func spoilings(f *followed) map[string]struct {
	spoil func() error
	says  string
} {
	path, files := f.path, hostileFiles()
	text := func(s string) func() error {
		return func() error { return os.WriteFile(path, []byte(s), 0o600) }
	}
	link := func(to string) func() error { return func() error { return os.Symlink(to, path) } }
	return map[string]struct {
		spoil func() error
		says  string
	}{
		"alias bomb":     {text(files["alias bomb"]), "desk.yaml:1:"},
		"a million keys": {text(files["a million keys"]), "desk.yaml"},
		"10,000 deep":    {text(files["10,000 deep"]), "desk.yaml:1:"},
		"NULs":           {text(strings.Repeat("\x00", 1<<20)), "desk.yaml:1:"},
		"invalid UTF-8":  {text(strings.Replace(f.version("X"), "A desk", "A \xff\xfe", 1)), "desk.yaml:3:"},
		"empty":          {text(""), "desk.yaml:1:"},
		"sparse": {func() error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<30)
		}, "desk.yaml: more than 1048576 bytes; "},
		"a pipe":               {func() error { return syscall.Mkfifo(path, 0o600) }, "desk.yaml: not a regular file but a named pipe; name a file"},
		"a folder":             {func() error { return os.Mkdir(path, 0o700) }, "desk.yaml: not a regular file but a folder; name a file"},
		"a zero device":        {link("/dev/zero"), "desk.yaml: not a regular file but a device; name a file"},
		"a link ring":          {link(path), "desk.yaml: too many levels"},
		"gone":                 {func() error { return nil }, "desk.yaml: no such file"},
		"an intent of another": {text(strings.ReplaceAll(f.version("X"), "$item", "$itme")), "desk.yaml:13:35: intents[0].plan[0].with.item: nothing fills $itme"},
	}
}

// TestServeOutlivesSpoiltFiles spoils the agent's file in every way while the process serves it.
func TestServeOutlivesSpoiltFiles(t *testing.T) {
	programtest.TakesLong(t)
	f := serveDesk(t)
	f.find("s", "find item I-7", "Found I-7: row 3.")
	before, word := f.goroutines(), "Found"
	_, descriptors := f.proc()
	turn := 0
	for name, s := range spoilings(f) {
		from := f.logged()
		if err := os.RemoveAll(f.path); err != nil {
			t.Fatal(err)
		}
		if err := s.spoil(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := f.hears(from, s.says)
		f.find(fmt.Sprint("s", turn), "find item I-7", word+" I-7: row 3.")
		// The look between the removal and the new file may tell of that, too.
		if n := strings.Count(text, "last good version goes on"); n < 1 || n > 2 {
			t.Errorf("%s is told %d times:\n%.2000s", name, n, text)
		}
		if len(text) > 16<<10 {
			t.Errorf("%s: %d bytes of log", name, len(text))
		}
		if turn++; turn%4 > 0 {
			continue
		}
		word = fmt.Sprint("Version ", turn, ":")
		f.mend(word)
	}
	f.mend("Mended:")
	f.find("last", "find item I-7", "Mended: I-7: row 3.")
	peak, open := f.proc()
	if peak > 512<<10 {
		t.Errorf("%d MiB of memory at the peak", peak>>10)
	}
	if after := f.goroutines(); after > before+10 {
		t.Errorf("%d goroutines, %d before", after, before)
	}
	if open > descriptors+8 {
		t.Errorf("%d descriptors, %d before", open, descriptors)
	}
	t.Logf("peak %d MiB, descriptors %d then %d", peak>>10, descriptors, open)
}

// TestServeTakesWholeVersions replaces the agent's file as editors do: many times in a row, and in
// the middle of a conversation.
func TestServeTakesWholeVersions(t *testing.T) {
	programtest.TakesLong(t)
	f := serveDesk(t)
	if got := f.Chat(t, `{"message":"find an item","conversation_id":"amid"}`); got["asked"] != "item" {
		t.Fatalf("asked %v", got["asked"])
	}
	// 200 versions one after the other: the last is taken.
	from := f.logged()
	for i := range 200 {
		f.replace(f.version(fmt.Sprint("Version ", i, ":")))
	}
	f.hears(from, "is reloaded, version")
	f.find("s", "find item I-7", "Version 199: I-7: row 3.")
	if text := f.hears(from, "is reloaded, version"); strings.Count(text, "is reloaded") != 1 || strings.Contains(text, "not reloaded") {
		t.Errorf("200 versions at once:\n%s", text)
	}
	// The intent that asks is taken away while it asks: the answer has no intent, and an
	// answer is given all the same.
	from = f.logged()
	without := f.version("X")
	start, end := strings.Index(without, "  - id: look_up"), strings.Index(without, "  - id: opening")
	without = without[:start] + without[end:]
	f.replace(without)
	f.hears(from, "is reloaded, version")
	if got := f.Chat(t, `{"message":"I-7","conversation_id":"amid"}`); got["reply"] == "" || got["error"] != nil || got["asked"] == "item" {
		t.Errorf("an answer to an intent that is gone: %v", got)
	}
	f.find("amid", "when do you open", "We open at nine.")
	// What an agent's file names is gone.
	from = f.logged()
	if err := os.Remove(filepath.Join(filepath.Dir(f.path), "more.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.hears(from, "more.jsonl cannot be read; write a path relative to this file")
	f.find("s", "when do you open", "We open at nine.")
	f.write("more.jsonl", `{"text": "until when are you there"}`)
	f.mend("Whole:")
	f.find("s", "find item I-7", "Whole: I-7: row 3.")
}

// deskYAML returns the agent of these tests as a format string with one word of its answers left
// out.
func deskYAML(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/desk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
