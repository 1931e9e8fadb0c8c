//go:build unix

package hostile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/programtest"
)

// hostileFiles returns texts that are neither an agent nor settings nor a replay, by name.
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

// hostilePlaces make paths that are not regular files, by name.
var hostilePlaces = map[string]func(path string) error{
	"folder":      func(path string) error { return os.Mkdir(path, 0o700) },
	"zero device": func(path string) error { return os.Symlink("/dev/zero", path) },
	"link ring":   func(path string) error { return os.Symlink(path, path) },
	"pipe":        func(path string) error { return syscall.Mkfifo(path, 0o600) },
}

// hostileCommands read a file as an agent, as settings or as a replay.
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

// TestHostileFiles: each command that reads a hostile file, in a process with little memory, ends
// by itself and in time, with an error that names the file.
func TestHostileFiles(t *testing.T) {
	programtest.TakesLong(t)
	dir, binary := t.TempDir(), programtest.Binary(t)
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

// pipeReaders are the commands that read a named file.
var pipeReaders = [][]string{
	{"check", "FILE"},
	{"--agent", "FILE", "chat"},
	{"--config", "FILE", "config", "show"},
	{"replay", "FILE"},
	{"sessions", "import", "FILE"},
	{"memory", "add", "FILE.md"},
	{"keys", "list", "--file", "FILE"},
	{"db", "restore", "FILE"},
	{"eval", "nlu", "--train", "FILE"},
	{"eval", "entities", "--cases", "FILE"},
	{"eval", "recall", "--turns", "FILE", "--questions", "FILE"},
	{"eval", "summary", "--turns", "FILE", "--questions", "FILE"},
	{"eval", "diff", "FILE", "FILE"},
	{"--set", "server.auth.keys_file=FILE", "serve", "--addr", "127.0.0.1:0"},
}

// TestPipesAreNotWaitedFor: no command waits for a pipe without a writer, or for an empty pipe such
// as a shell's <(command).
func TestPipesAreNotWaitedFor(t *testing.T) {
	programtest.TakesLong(t)
	binary, path := programtest.Binary(t), filepath.Join(t.TempDir(), "pipe.yaml")
	if err := errors.Join(syscall.Mkfifo(path, 0o600), syscall.Mkfifo(path+".md", 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, command := range pipeReaders {
		for _, named := range []string{path, "/dev/fd/3"} {
			t.Run(strings.Join(command, " ")+" "+filepath.Base(named), func(t *testing.T) {
				t.Parallel()
				args := []string{"--data", t.TempDir()}
				for _, arg := range command {
					args = append(args, strings.ReplaceAll(arg, "FILE", named))
				}
				ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
				defer cancel()
				cmd := exec.CommandContext(ctx, binary, args...)
				read, write, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				write.Close()
				cmd.ExtraFiles = []*os.File{read}
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				switch {
				case ctx.Err() != nil:
					t.Errorf("it does not end: %.300s", out)
				case named == path && (!errors.As(err, &exit) || exit.ExitCode() < 1 || exit.ExitCode() > 2):
					t.Errorf("%v: %.300s", err, out)
				case named == path && (!strings.Contains(string(out), "pipe.yaml") || !strings.Contains(string(out), "regular file")):
					t.Errorf("the error does not say what is wrong: %.300s", out)
				case crashed.Match(out):
					t.Errorf("%.500s", out)
				}
			})
		}
	}
}

// TestReadsWhatAShellPipes: a command reads an agent and a replay from a pipe of the shell.
func TestReadsWhatAShellPipes(t *testing.T) {
	binary := programtest.Binary(t)
	for _, tc := range []struct {
		text    string
		command []string
	}{
		{fmt.Sprintf("version: 1\nagent: {id: piped}\nintents:\n  - id: a\n    examples: [%s]\n    plan: [{respond: r}]\nresponses: {r: R.}\n", "one word, two words, three words, four, five"), []string{"check", "/dev/fd/3"}},
		{"conversation: piped\nturns:\n  - user: how much is shipping\n    expect: {asked: null}\n", []string{"replay", "/dev/fd/3"}},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := write.WriteString(tc.text); err != nil { // it is less than a pipe holds
			t.Fatal(err)
		}
		write.Close()
		cmd := exec.CommandContext(t.Context(), binary, append([]string{"--data", t.TempDir()}, tc.command...)...)
		cmd.ExtraFiles = []*os.File{read}
		out, err := cmd.CombinedOutput()
		read.Close()
		if err != nil {
			t.Errorf("%q: %v\n%s", tc.command, err, out)
		}
	}
}
