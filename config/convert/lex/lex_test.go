package lex_test

import (
	"archive/zip"
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
	"github.com/slotway/slotway/config/convert/lex"
)

var update = flag.Bool("update", false, "write the files that are compared with")

func read(t testing.TB, name, locale string) *convert.Bot {
	t.Helper()
	files, err := convert.OpenFiles(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	bot, err := lex.Read(files, locale)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

// The export becomes an agent without errors, and says what it could not carry over.
func TestRead(t *testing.T) {
	bot := read(t, "testdata/bakery", "")
	dir := t.TempDir()
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
	if err := bot.Report.Print(&report); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"testdata/bakery.agent.yaml": agent, "testdata/bakery.report.txt": report.Bytes()} {
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

// A zip file gives the same agent as the folder in it.
func TestZip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "export.zip")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	if err := z.AddFS(os.DirFS("testdata/bakery")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read(t, "testdata/bakery", ""), read(t, name, "en_us")); diff != "" {
		t.Errorf("-folder +zip:\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	broken := t.TempDir()
	for name, text := range map[string]string{"Bot.json": `{"name": "b"}`, "BotLocales/en_US/BotLocale.json": `{}`, "BotLocales/en_US/Intents/A/Intent.json": "{\n  \"name\": 7\n}"} {
		path := filepath.Join(broken, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, locale, want string }{
		{t.TempDir(), "", "no Bot.json"},
		{"testdata/bakery", "fr_FR", "no language fr_FR; it has de_DE, en_US"},
		{broken, "", "BotLocales/en_US/Intents/A/Intent.json:2: json: cannot unmarshal number"},
	} {
		files, err := convert.OpenFiles(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lex.Read(files, c.locale); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.dir, c.locale, err, c.want)
		}
	}
}

// Whatever an export holds, reading and writing it does not panic.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"Intents/OrderCake/Intent.json", "SlotTypes/Flavor/SlotType.json", "Intents/OrderCake/Slots/Flavor/Slot.json"} {
		data, err := os.ReadFile(filepath.Join("testdata/bakery/Bakery/BotLocales/en_US", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		fuzz(t, "testdata/bakery", "Bakery/BotLocales/en_US/"+name, data)
	})
}

// fuzz reads an export with one of its files replaced.
func fuzz(t *testing.T, export, name string, data []byte) {
	if !fs.ValidPath(name) {
		t.Skip()
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
	if bot, err := lex.Read(convert.FilesOf(files), ""); err == nil {
		_, _ = bot.Files()
	}
}
