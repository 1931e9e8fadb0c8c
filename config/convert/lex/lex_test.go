package lex_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/lex"
	"github.com/slotway/slotway/internal/test/converttest"
)

const bakery = "testdata/bakery"

// The export becomes an agent without errors, and says what it could not carry over.
func TestRead(t *testing.T) { converttest.Golden(t, lex.Read, bakery) }

// A zip file gives the same agent as the folder in it.
func TestZip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "export.zip")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	if err := z.AddFS(os.DirFS(bakery)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	folder, err := converttest.Bot(t, lex.Read, bakery, "").Files()
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := converttest.Bot(t, lex.Read, name, "en_us").Files()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(folder, zipped); diff != "" {
		t.Errorf("-folder +zip:\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	broken := converttest.Write(t, map[string]string{
		"Bot.json": `{"name": "b"}`, "BotLocales/en_US/BotLocale.json": `{}`, "BotLocales/en_US/Intents/A/Intent.json": "{\n  \"name\": x\n}",
	})
	for _, c := range []struct{ dir, locale, want string }{
		{t.TempDir(), "", "no Bot.json"},
		{bakery, "fr_FR", "no language fr_FR; it has de_DE, en_US"},
		{broken, "", "BotLocales/en_US/Intents/A/Intent.json:2: invalid character"},
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
		data, err := os.ReadFile(filepath.Join(bakery, "Bakery/BotLocales/en_US", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		converttest.Hostile(t, lex.Read, bakery, "Bakery/BotLocales/en_US/"+name, data)
	})
}
