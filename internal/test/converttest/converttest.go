// Package converttest helps to test readers of exports: it compares what becomes of one with golden files,
// and reads exports with a hostile file in them.
package converttest

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

var update = flag.Bool("update", false, "write the files that are compared with")

// Read reads an export in a language.
type Read func(files *convert.Files, locale string) (*convert.Bot, error)

// Bot reads the export at a path; the test fails if it cannot be read.
func Bot(t testing.TB, read Read, path, locale string) *convert.Bot {
	t.Helper()
	files, err := convert.OpenFiles(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	bot, err := read(files, locale)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

// Golden writes the bot of an export, loads it as an agent, and compares agent and report with
// EXPORT.agent.yaml and EXPORT.report.txt. The flag -update writes these.
func Golden(t *testing.T, read Read, export string) {
	t.Helper()
	bot, dir := Bot(t, read, export, ""), t.TempDir()
	if err := bot.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
		t.Error(err)
	}
	agent, err := os.ReadFile(filepath.Join(dir, convert.AgentFile))
	if err != nil {
		t.Fatal(err)
	}
	var report bytes.Buffer
	if err := bot.Report.Print(&report, true); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{export + ".agent.yaml": agent, export + ".report.txt": report.Bytes()} {
		if *update {
			if err := os.WriteFile(name, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Hostile reads an export with one of its files replaced: nothing may panic, and the agent must load. A name
// that no file can have is skipped.
func Hostile(t *testing.T, read Read, export, name string, data []byte) {
	t.Helper()
	if !fs.ValidPath(name) {
		t.Skip("no file can have this name")
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(export), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(export, path))
		files[path] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files[name] = &fstest.MapFile{Data: data}
	bot, err := read(convert.FilesOf(files), "")
	if err != nil {
		return
	}
	dir := t.TempDir()
	if err := bot.Write(dir); err != nil {
		return // a text that cannot be written is an error
	}
	if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
		t.Errorf("%s\n%v", data, err)
	}
}

// Write writes the files of an export, by name, into a new folder and returns it.
func Write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Plain returns a text of YAML without its quotes and line breaks, which the writer chooses.
func Plain(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(text)), " ")
}
