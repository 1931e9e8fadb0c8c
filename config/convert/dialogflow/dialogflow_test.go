package dialogflow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/dialogflow"
	"github.com/slotway/slotway/internal/test/converttest"
)

// The exports, one of ES and one of CX, become agents without errors, and say what could not be carried
// over.
func TestRead(t *testing.T) {
	for _, name := range []string{"bikes", "cinema"} {
		t.Run(name, func(t *testing.T) { converttest.Golden(t, dialogflow.Read, "testdata/"+name) })
	}
}

func TestReadErrors(t *testing.T) {
	broken := converttest.Write(t, map[string]string{"agent.json": `{}`, "intents/A.json": "{\n  \"name\": x\n}"})
	for _, c := range []struct{ dir, want string }{
		{t.TempDir(), "no agent.json"},
		{broken, "intents/A.json:2: invalid character"},
	} {
		files, err := convert.OpenFiles(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dialogflow.Read(files, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.dir, err, c.want)
		}
	}
}

// Whatever an export holds, reading and writing it does not panic.
func FuzzRead(f *testing.F) {
	for _, name := range []string{
		"bikes/intents/Rent a bike.json", "bikes/intents/Rent a bike_usersays_en.json", "bikes/entities/bike.json", "bikes/entities/bike_entries_en.json",
		"cinema/flows/Default Start Flow/Default Start Flow.json", "cinema/flows/Default Start Flow/pages/Found.json", "cinema/testCases/book.json",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		export, file, _ := strings.Cut(name, "/")
		if export != "bikes" && export != "cinema" {
			t.Skip("no export of ours")
		}
		converttest.Hostile(t, dialogflow.Read, "testdata/"+export, file, data)
	})
}
