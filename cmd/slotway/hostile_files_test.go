//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// hostileFiles are files that nobody would call an agent, settings or a replay.
func hostileFiles() map[string]string {
	var bomb strings.Builder
	bomb.WriteString("a: &a [x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c <= 'j'; c++ {
		p := string(c - 1)
		bomb.WriteString(fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+p+",", 9), ",")))
	}
	var keys strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	return map[string]string{
		"alias bomb":     bomb.String(),
		"alias in self":  "a: &a [*a]\n",
		"two anchors":    "a: &x 1\nb: &x 2\nc: *x\n",
		"merge":          "a: &a {version: 1}\n<<: *a\n",
		"merge of self":  "&a\n<<: *a\n",
		"binary":         "version: !!binary aGVsbG8=\n",
		"other tag":      "version: !!python/object/apply:os.system [id]\n",
		"10 MB scalar":   "version: " + strings.Repeat("x", 10<<20) + "\n",
		"10,000 deep":    strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "\n",
		"10,000 indents": strings.Repeat("- ", 10_000) + "x\n",
		"a million keys": keys.String(),
		"invalid UTF-8":  "version: \xff\xfe\xc0\xaf\n",
		"UTF-16":         "\xff\xfev\x00e\x00r\x00",
		"NUL":            "version: 1\x00\n",
		"control":        "version: \x1b[2J\n",
		"BOM":            "\ufeffversion: x\n",
		"CRLF":           "version: x\r\n",
		"empty":          "",
		"two documents":  "version: 1\n---\nversion: 1\n",
		"repeated key":   "version: 1\nversion: 1\n",
		"a key of lists": "? [a, b]\n: 1\n",
		"null":           "null\n",
		"prototype":      "__proto__: {version: 1}\n",
		"gigantic int":   "version: " + strings.Repeat("9", 100_000) + "\n",
	}
}

// hostilePlaces are no files at all: name to how one is made.
var hostilePlaces = map[string]func(path string) error{
	"folder":      func(path string) error { return os.Mkdir(path, 0o700) },
	"zero device": func(path string) error { return os.Symlink("/dev/zero", path) },
	"link ring":   func(path string) error { return os.Symlink(path, path) },
}

// hostileCommands read the file, as an agent, as settings, or as a replay.
var hostileCommands = map[string]func(file string) []string{
	"check":    func(file string) []string { return []string{"check", file} },
	"agent":    func(file string) []string { return []string{"--agent", file, "chat"} },
	"settings": func(file string) []string { return []string{"--config", file, "config", "show"} },
	"replay":   func(file string) []string { return []string{"replay", file} },
}

// Bounds of a command that reads a hostile file: its time, and the memory that it may have.
const (
	hostileTime   = 30 * time.Second
	hostileMemory = 1 << 20 // KiB of data: what the test passes within
)

var (
	namesPlace = regexp.MustCompile(`\S+\.yaml`)
	crashed    = regexp.MustCompile(`(?m)^(panic|fatal error|runtime): |goroutine \d+ \[|out of memory`)
)

// TestHostileFiles gives them to the commands that read such files, each in a process with
// little memory: each ends in time, by itself and with an error that names the file.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "slotway")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	files := map[string]string{}
	for name, text := range hostileFiles() {
		files[name] = filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".yaml")
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, create := range hostilePlaces {
		files[name] = filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".yaml")
		if err := create(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	for how, command := range hostileCommands {
		for name, file := range files {
			t.Run(how+"/"+name, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
				defer cancel()
				args := append([]string{"-c", fmt.Sprintf(`ulimit -d %d; exec "$0" "$@"`, hostileMemory), binary, "--data", t.TempDir()}, command(file)...)
				cmd := exec.CommandContext(ctx, "sh", args...)
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				switch {
				case ctx.Err() != nil:
					t.Errorf("it does not end: %.300s", out)
				case err != nil && !errors.As(err, &exit):
					t.Error(err)
				case exit != nil && (exit.ExitCode() < 1 || exit.ExitCode() > 2 || crashed.Match(out)):
					t.Errorf("%v: %.500s", err, out)
				case exit != nil && !namesPlace.Match(out) && !(how == "replay" && name == "folder"): // an empty folder has no replays
					t.Errorf("the error does not say where: %.300s", out)
				case err == nil && (how == "check" || how == "agent"):
					t.Errorf("it is taken for an agent: %.300s", out)
				case len(out) > 1<<20:
					t.Errorf("%d bytes of output", len(out))
				}
			})
		}
	}
}
