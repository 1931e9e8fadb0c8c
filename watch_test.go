package slotway

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router"
)

//go:embed testdata/desk.yaml
var deskYAML string // with a word of its answers left out

// TestMain keeps what the examples write out of the home of whoever runs them, and trains a
// classifier once for all.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "slotway-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	trained := &build.SharedCache{}
	build.ModelsIn = func(string, io.Writer) cascade.Cache { return trained }
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// changing is an app whose agent's files a test writes.
type changing struct {
	*Runtime
	t    *testing.T
	path string
	log  *bytes.Buffer
	told []error
	*build.Reloader
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	dir := t.TempDir()
	c := &changing{t: t, path: filepath.Join(dir, "desk.yaml"), log: &bytes.Buffer{}}
	c.write("shelf.sql", "CREATE TABLE shelf (item TEXT, place TEXT) STRICT; INSERT INTO shelf VALUES ('I-7', 'row 3');")
	c.write("more.jsonl", `{"text": "until when are you there"}`)
	c.write("desk.yaml", fmt.Sprintf(deskYAML, "Found"))
	conf, err := settings.Load("", nil, map[string]string{
		"memory.storage": "inmem", "telemetry.log": "none", "memory.storage_path": filepath.Join(t.TempDir(), "memory.db"),
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), c.path, &Options{Settings: conf, Stderr: c.log, NoHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	c.Runtime = a
	c.Reloader = a.newReloader()
	c.OnReload = func(err error) { c.told = append(c.told, err) }
	return c
}

func (c *changing) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.path), name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *changing) say(session, text string) router.Reply {
	c.t.Helper()
	reply, err := c.router.Handle(c.t.Context(), router.Interaction{Text: text, Context: router.Context{SessionID: session}})
	if err != nil {
		c.t.Fatalf("Handle: %v", err)
	}
	return reply
}

// tick looks at the files until they rest, and checks how many reloads were tried.
func (c *changing) tick(tried int) error {
	c.t.Helper()
	c.told = nil
	for c.Poll(c.t.Context()); c.Changing(); {
		c.Poll(c.t.Context())
	}
	if len(c.told) != tried {
		c.t.Fatalf("%d reloads were tried, want %d; log:\n%s", len(c.told), tried, c.log)
	}
	if tried == 0 {
		return nil
	}
	return c.told[0]
}

func TestReloadGoesOnWithTheConversation(t *testing.T) {
	c := newChanging(t)
	if c.tick(0); c.say("s", "find an item").Asked == nil {
		t.Fatal("the item is not asked for")
	}
	c.write("desk.yaml", fmt.Sprintf(deskYAML, "There you are,"))
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
	if reply := c.say("s", "I-7"); reply.Reply != "There you are, I-7: row 3." {
		t.Errorf("the conversation under way: %q", reply.Reply)
	}
	c.tick(0)
	// A file that the agent's own names counts too.
	c.write("more.jsonl", `{"text": "tell me a word that nobody has said"}`)
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
	if reply := c.say("t", "tell me a word that nobody has said"); reply.Reply != "We open at nine." {
		t.Errorf("after new examples: %q", reply.Reply)
	}
}

func TestReloadKeepsTheLastGoodVersion(t *testing.T) {
	good := fmt.Sprintf(deskYAML, "Found")
	for name, tc := range map[string]struct {
		text string // "": the file is removed
		says string
	}{
		"half written":            {good[:len(good)/2], "desk.yaml:"},
		"empty":                   {"\n", "desk.yaml:1"},
		"a step that is not":      {strings.Replace(good, "respond: found", "respond: fuond", 1), "desk.yaml:14:18: intents[0]"},
		"removed":                 {"", "desk.yaml"},
		"another agent":           {strings.Replace(good, "id: desk", "id: other", 1), "another agent"},
		"a database of no driver": {strings.Replace(good, "${DATA}/shelf.db", "${NOWHERE}/shelf.db", 1), "NOWHERE"},
		"examples that are not":   {strings.Replace(good, "more.jsonl", "later.jsonl", 1), "later.jsonl cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChanging(t)
			c.say("s", "find an item")
			if c.write("desk.yaml", tc.text); tc.text == "" {
				if err := os.Remove(c.path); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.tick(1); err == nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(c.log.String(), tc.says) {
				t.Errorf("error %v\nlog %s\nwant both to say %q", err, c.log, tc.says)
			}
			c.tick(0) // the same again is not said again
			if reply := c.say("s", "I-7"); reply.Reply != "Found I-7: row 3." {
				t.Errorf("reply %q, want the old behaviour", reply.Reply)
			}
			if err := c.store.Ping(t.Context()); err != nil {
				t.Errorf("readiness: %v", err)
			}
			c.write("desk.yaml", fmt.Sprintf(deskYAML, "Mended:"))
			if err := c.tick(1); err != nil {
				t.Fatal(err)
			}
			if reply := c.say("s", "find an item"); reply.Reply != "Mended: I-7: row 3." {
				t.Errorf("reply %q, want the mended version", reply.Reply)
			}
		})
	}
}

// A version that names a file which is not there yet is taken once the file is.
func TestReloadOnceAMissingFileCame(t *testing.T) {
	c := newChanging(t)
	c.write("desk.yaml", strings.Replace(fmt.Sprintf(deskYAML, "Now"), "more.jsonl", "later.jsonl", 1))
	if err := c.tick(1); err == nil {
		t.Fatal("a version with a missing file is taken")
	}
	c.write("later.jsonl", `{"text": "how late is it there"}`)
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
	if reply := c.say("s", "find item I-7"); reply.Reply != "Now I-7: row 3." {
		t.Errorf("reply %q", reply.Reply)
	}
	c.write("later.jsonl", `{"text": "how early is it there"}`)
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
}

// A version that comes while the last one is being tried again is loaded before it is seen.
// Spoilt anew before the next look, the file looks as it did at the last, and is told of.
func TestReloadSeesAFileSpoiltAnew(t *testing.T) {
	c := newChanging(t)
	c.tick(0)
	for range 2 {
		if err := os.Remove(c.path); err != nil {
			t.Fatal(err)
		}
		if err := c.tick(1); err == nil {
			t.Fatal("a version that is gone is taken")
		}
		c.write("desk.yaml", fmt.Sprintf(deskYAML, "Now"))
		if c.Reloader.Reload(t.Context()); c.LastError() != "" {
			t.Fatal(c.LastError())
		}
	}
}

// The same size, and a time set back to what it was: the content tells within the time
// that a clock's grain may hide a change in.
func TestReloadSeesAChangeOfTheSameSize(t *testing.T) {
	c := newChanging(t)
	c.write("desk.yaml", fmt.Sprintf(deskYAML, "Found")) // just now, however long the start took
	c.Changed()
	info, err := os.Stat(c.path)
	if err != nil {
		t.Fatal(err)
	}
	c.write("desk.yaml", fmt.Sprintf(deskYAML, "Fount"))
	if err := os.Chtimes(c.path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
	// An old file whose time moves and whose content does not is none that changed.
	old := time.Now().Add(-time.Hour)
	for _, at := range []time.Time{old, old.Add(time.Minute)} {
		if err := os.Chtimes(c.path, at, at); err != nil {
			t.Fatal(err)
		}
		c.tick(0)
	}
}

func TestReloadOnSIGHUP(t *testing.T) {
	c := newChanging(t)
	ctx, cancel := context.WithCancel(t.Context())
	hup, told := make(chan os.Signal), make(chan error, 1)
	c.OnReload = func(err error) { told <- err }
	var wg sync.WaitGroup
	wg.Go(func() { c.Run(ctx, nil, hup) })
	c.write("desk.yaml", fmt.Sprintf(deskYAML, "Heard:"))
	for range 2 { // also when nothing has changed since
		hup <- syscall.SIGHUP
		if err := <-told; err != nil {
			t.Fatal(err)
		}
	}
	if reply := c.say("s", "find item I-7"); reply.Reply != "Heard: I-7: row 3." {
		t.Errorf("reply %q", reply.Reply)
	}
	cancel()
	wg.Wait()
}

// A version that failed to be built leaves nothing open, and neither does one that was
// replaced.
func TestReloadsLeakNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred reloads take seconds")
	}
	c := newChanging(t)
	c.say("s", "find item I-7")
	if err := c.Runtime.reload(t.Context(), c.agent); err != nil {
		t.Fatal(err)
	}
	c.say("s", "find item I-7")
	c.retired()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for range 100 {
		if err := c.Runtime.reload(t.Context(), c.agent); err != nil {
			t.Fatal(err)
		}
		c.say("s", "find item I-7")
		c.retired()
		other := *c.agent
		other.ID = "other"
		if err := c.Runtime.reload(t.Context(), &other); !errors.Is(err, router.ErrOtherAgent) {
			t.Fatalf("another agent: %v", err)
		}
	}
	c.retired()
	for n := 0; runtime.NumGoroutine() > goroutines+2 && n < 1000; n++ {
		time.Sleep(time.Millisecond) // database/sql ends its goroutines in its own time
	}
	if n := runtime.NumGoroutine(); n > goroutines+2 {
		t.Errorf("%d goroutines after 100 reloads, %d before", n, goroutines)
	}
	// SQLite keeps a descriptor of a file that another connection has locked, and opens the
	// file the next time with it (unixfile, findReusableFd): a few more stay than were there.
	if n := openFiles(t); n > files+6 {
		t.Errorf("%d open files after 100 reloads, %d before", n, files)
	}
	if c.log.Len() > 0 {
		t.Errorf("log: %s", c.log)
	}
}

// retired waits for the editions that were replaced.
func (c *changing) retired() { c.draining.Wait() }

// openFiles counts this process's open files.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("open files cannot be counted here: %v", err)
	}
	return len(list)
}

// A file that is written in halves is not taken before it rests, be the half an agent or not.
func TestReloadWaitsForTheOtherHalf(t *testing.T) {
	c := newChanging(t)
	whole := fmt.Sprintf(deskYAML, "Whole:")
	half, _, _ := strings.Cut(whole, "  - id: opening")
	half += "tools:\n  find: {kind: sql, database: shelf, query: \"SELECT place FROM shelf WHERE item = :item\", one: true}\nresponses: {found: Half}\n"
	for name, halves := range map[string][]string{
		"broken":     {"", whole[:len(whole)/2], whole},
		"an agent":   {half, whole},
		"line after": {whole[:100], whole[:200], whole[:300], whole},
	} {
		c.told = nil
		for _, text := range halves {
			c.write("desk.yaml", text)
			if c.Poll(t.Context()); len(c.told) > 0 {
				t.Fatalf("%s: a half is loaded: %v", name, c.told)
			}
		}
		if c.Poll(t.Context()); len(c.told) != 1 || c.told[0] != nil {
			t.Errorf("%s: at rest it is told %v", name, c.told)
		}
		if reply := c.say("s", "find item I-7"); reply.Reply != "Whole: I-7: row 3." {
			t.Errorf("%s: reply %q", name, reply.Reply)
		}
		c.write("desk.yaml", fmt.Sprintf(deskYAML, "Found"))
		if err := c.tick(1); err != nil {
			t.Fatal(err)
		}
	}
	// One that never rests is taken all the same.
	c.told = nil
	for i := range build.MaxChanges {
		c.write("desk.yaml", fmt.Sprintf(deskYAML, fmt.Sprint("Number ", i)))
		c.Poll(t.Context())
	}
	if len(c.told) != 1 || c.told[0] != nil {
		t.Errorf("after %d versions it is told %v", build.MaxChanges, c.told)
	}
}

// A file that may not be read any more is told of once, and taken again when it may.
func TestReloadOfAFileWithoutRights(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	c := newChanging(t)
	if err := os.Chmod(c.path, 0); err != nil {
		t.Fatal(err)
	}
	if err := c.tick(1); err == nil || !strings.Contains(err.Error(), "desk.yaml: permission denied") {
		t.Errorf("told %v", err)
	}
	c.tick(0)
	if err := os.Chmod(c.path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.tick(1); err != nil {
		t.Fatal(err)
	}
}
