package entities

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/extract"
)

func casesOf(t *testing.T, name string) []Case {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := Read(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Seven cases; of the last only the value is another on purpose.
func TestEntities(t *testing.T) {
	f := Measure(casesOf(t, "testdata/cases.jsonl"))
	if f.Cases != 7 || f.Exact != 6.0/7 || f.Spans != 1 || f.ValueAmong != 6.0/7 || f.P50 <= 0 {
		t.Errorf("%+v", f)
	}
	if len(f.Missed) != 1 || f.Missed[0].ID != "datetime-6" || f.Missed[0].At != "testdata/cases.jsonl:7:1" || !f.Missed[0].Spans {
		t.Errorf("missed %+v", f.Missed)
	}
	if d := f.Types["datetime"]; d.Cases != 2 || d.Exact != 0.5 || d.Spans != 1 || f.Types["number"].Exact != 1 || len(f.Types) != 5 {
		t.Errorf("by type %+v", f.Types)
	}
}

func TestReadCasesProblems(t *testing.T) {
	_, err := Read("f", strings.NewReader(`{"type": "colour", "input": "red", "expected": []}
{"type": "number", "input": "12", "expected": [{"start": 1, "end": 4, "type": "number"}]}
{"type": "number", "input": "12", "reference_date": "yesterday"}
[]`))
	if err == nil {
		t.Fatal("no error")
	}
	want := `f:1:1: type: is none that is recognised; expected one of boolean, currency, datetime, email, number, ordinal, percentage, phonenumber, url
f:2:1: expected[0]: 1 to 4 lies outside a text of 2 code points; count start and end in code points, end exclusive
f:3:1: reference_date: is no moment; write it as 2016-11-07T00:00:00
f:4:1: is no JSON object with type, input and expected; write {"type": "number", "input": "...", "expected": []}`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAdaptersOfExpected(t *testing.T) {
	value := func(v any) map[string]any { return map[string]any{"value": v} }
	for _, tc := range []struct {
		typ        string
		resolution map[string]any
		want       []string
	}{
		{"number", value("1.2732E+15"), []string{"1.2732e+15"}},
		{"number", value("-3"), []string{"-3"}},
		{"percentage", value("20%"), []string{"20"}},
		{"ordinal", value("end-1"), []string{"end-1"}},
		{"currency", map[string]any{"value": "48200000", "unit": "Dollar"}, []string{"48200000 Dollar "}},
		{"currency", map[string]any{"value": "5.0", "unit": "Euro", "isoCurrency": "EUR"}, []string{"5 Euro EUR"}},
		{"currency", map[string]any{"value": nil, "unit": "Dollar"}, []string{" Dollar "}},
		{"phonenumber", value("1"), []string{"in"}},
		{"boolean", value(false), []string{"false"}},
		{"datetime", map[string]any{"values": []any{value("2016-11-07"), value("2017-11-07")}}, []string{"2016-11-07", "2017-11-07"}},
		{"datetime", map[string]any{"values": []any{map[string]any{"start": "2016-01-01", "end": "2017-01-01"}, map[string]any{"end": "2017-01-01"}}}, []string{"2016-01-01/2017-01-01", "../2017-01-01"}},
	} {
		got := recognised[tc.typ].expected(&Expected{Start: 0, End: 2, Resolution: tc.resolution}, "input")
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", tc.typ, tc.resolution, diff)
		}
	}
}

func TestAdaptersOfFound(t *testing.T) {
	for _, tc := range []struct {
		typ  string
		e    extract.Entity
		want string
	}{
		{"number", extract.Entity{Normal: "1.2732E+15"}, "1.2732e+15"},
		{"percentage", extract.Entity{Normal: "20%"}, "20"},
		{"ordinal", extract.Entity{Normal: "-1", Value: -1.0}, "end+0"},
		{"currency", extract.Entity{Normal: "12.5", Unit: "Euro", Code: "EUR"}, "12.5 Euro EUR"},
		{"currency", extract.Entity{Unit: "Dollar"}, " Dollar "},
		{"boolean", extract.Entity{Value: true}, "true"},
		{"datetime", extract.Entity{Kind: "date", Value: "2016-11-07"}, "2016-11-07"},
		{"datetime", extract.Entity{Kind: "time", Value: "15:04"}, "15:04:00"},
		{"datetime", extract.Entity{Kind: "datetime", Value: "2016-11-07T15:04:05"}, "2016-11-07 15:04:05"},
		{"datetime", extract.Entity{Kind: "daterange", Value: "2016-11-07/.."}, "2016-11-07/.."},
		{"datetime", extract.Entity{Kind: "timerange", Value: "T15:04/T16:00"}, "15:04:00/16:00:00"},
		{"datetime", extract.Entity{Kind: "datetimerange", Value: "2016-11-07T15:04:05/2016-11-07T16:00:00"}, "2016-11-07 15:04:05/2016-11-07 16:00:00"},
		{"datetime", extract.Entity{Kind: "duration", Value: "P1DT2H"}, "93600"},
		{"datetime", extract.Entity{Kind: "duration", Value: "PT0.5S"}, "0.5"},
		{"datetime", extract.Entity{Kind: "recurrence", Value: "FREQ=WEEKLY;BYDAY=TH"}, "not resolved"},
	} {
		_, got := recognised[tc.typ].found(&tc.e)
		if got != tc.want {
			t.Errorf("%s %v = %q, want %q", tc.typ, tc.e.Value, got, tc.want)
		}
	}
}
