package labelled_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/labelled"
)

func TestRead(t *testing.T) {
	want := map[string][]string{"track_order": {"where is it", "is it \"here\", yet"}, "refund": {"money back"}}
	for name, data := range map[string]string{
		"a.csv":   "Utterance,Intent,note\nwhere is it,track order,\n\"is it \"\"here\"\", yet\",track order,x\nmoney back,Refund,\n,Refund,\nWhere is it,Refund,\n",
		"b.tsv":   "text\tlabel\nwhere is it\ttrack order\nis it \"here\", yet\ttrack order\nmoney back\tRefund\n\tRefund\nWhere is it\tRefund\n",
		"c.csv":   "text;label\nwhere is it;track order\n\"is it \"\"here\"\", yet\";track order\nmoney back;Refund\n;Refund\nWhere is it;Refund\n",
		"d.jsonl": `{"text":"where is it","label":"track order"}` + "\n" + `{"text":"is it \"here\", yet","label":"track order"}` + "\n\n" + `{"text":"money back","label":"Refund"}` + "\n" + `{"label":"Refund"}` + "\n" + `{"text":"Where is it","label":"Refund"}`,
	} {
		bot, err := labelled.Read(name, []byte(data), labelled.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := map[string][]string{}
		for _, in := range bot.Intents {
			for _, e := range in.Examples {
				got[in.ID] = append(got[in.ID], e.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if lost := bot.Report.Of(convert.Lost); len(lost) != 2 {
			t.Errorf("%s: lost: %+v", name, lost)
		}
		dir := t.TempDir()
		if err := bot.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.csv", "hello,there\nx,y\n", `a.csv:1: the first line must name the columns`},
		{"a.csv", "", "a.csv is empty"},
		{"a.json", "[{\"text\":\"a\"}]", "write JSON lines"},
		{"a.json", "{\n\"train\": []}", "write JSON lines"},
		{"a.csv", "text,label\n", "a.csv has no sentence with a label"},
		{"a.csv", "text,label\n\xff,b\n", "a.csv is not UTF-8"},
	} {
		if _, err := labelled.Read(c.name, []byte(c.data), labelled.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %q", c.name, c.data, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("text,label\na,b\n")
	f.Add(`{"text":"a","label":"b"}`)
	f.Fuzz(func(t *testing.T, data string) {
		bot, err := labelled.Read("x", []byte(data), labelled.Options{})
		if err != nil {
			return
		}
		dir := t.TempDir()
		if err := bot.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
			t.Errorf("%q: %v", data, err)
		}
	})
}
