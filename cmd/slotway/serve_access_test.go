package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/settings"
)

// listensFor is a stream that calls heard once a text was written to it.
type listensFor struct {
	bytes.Buffer
	text  string
	heard func()
}

func (l *listensFor) Write(b []byte) (int, error) {
	if strings.Contains(string(b), l.text) {
		l.heard()
	}
	return l.Buffer.Write(b)
}

// TestServeRefusesToBeOpen: a service that would be open to other machines ends before it opens or
// writes anything, and says what to do.
func TestServeRefusesToBeOpen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.7:0"} {
		dir := filepath.Join(t.TempDir(), "data")
		ctx, cancel := context.WithCancel(t.Context())
		var stdout bytes.Buffer
		stderr := &listensFor{text: "listening on", heard: cancel}
		code := run(ctx, []string{"--data", dir, "serve", "--addr", addr}, strings.NewReader(""), &stdout, stderr)
		cancel()
		if code != exitCheck || stdout.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q", addr, code, stdout.String())
		}
		for _, want := range []string{"refused to listen", "slotway keys new --name", "server.auth.keys_file=", "--addr 127.0.0.1", "server.auth.open=i_know"} {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: nothing of %q in %q", addr, want, stderr.String())
			}
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: the data folder was made: %v", addr, err)
		}
	}
}

// TestOpenTakesOneWord: exactly one value of the setting opens the service.
func TestOpenTakesOneWord(t *testing.T) {
	for value, ok := range map[string]bool{"": true, "i_know": true, "true": false, "yes": false, "I_KNOW": false} {
		_, err := settings.Load("", []string{"HOME=" + t.TempDir()}, map[string]string{"server.auth.open": value})
		if (err == nil) != ok {
			t.Errorf("server.auth.open=%q: %v", value, err)
		}
	}
}

// TestServeIsTheOnlyListener: there is one listener for others, for which MayListen is asked. A new
// one must ask, too.
func TestServeIsTheOnlyListener(t *testing.T) {
	listens := regexp.MustCompile(`\b(Listen(TCP|Unix|Config|Packet|AndServe|AndServeTLS)?\(|net\.ListenConfig)`)
	found := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && (name == "scripts" || name == "examples" || name == "templates" || strings.HasSuffix(name, "test") || name == ".git"):
			return filepath.SkipDir // tools of the developers, programs that embed the runtime, stub backends of init, servers of tests
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && listens.Match(text) {
			found[filepath.ToSlash(path)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !found["../../cmd/slotway/serve.go"] {
		t.Errorf("listeners in %v", found)
	}
}
