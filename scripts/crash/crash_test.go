package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// The test binary is the ledger's write tool, as the command itself is.
func TestMain(m *testing.M) {
	if code, ok := beTool(os.Args); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// needHeavy skips a test that builds the binary and kills it for a minute or more.
func needHeavy(t *testing.T) {
	t.Helper()
	if os.Getenv("SLOTWAY_TEST_HEAVY") != "1" {
		t.Skip("kills real processes for a minute or more: set SLOTWAY_TEST_HEAVY=1, as .ci/run does")
	}
}

// Two real cycles, end to end.
func TestTwoCycles(t *testing.T) {
	t.Parallel()
	needHeavy(t)
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-cycles", "2", "-clients", "4", "-seed", "1", "-json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Cycles != 2 || r.Effects == 0 {
		t.Errorf("%v in %s", err, stdout.String())
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-cycles", "0"}, {"-clients", "-1"}, {"more"}, {"-unknown"}} {
		if code := run(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{}); code != 2 {
			t.Errorf("%q: exit code %d, want 2", args, code)
		}
	}
}

func TestLedgerCountsLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.txt")
	for _, e := range []string{"E-1", "E-2", "E-1"} {
		if code := appendEntry(&bytes.Buffer{}, path, e); code != 0 {
			t.Fatalf("exit code %d", code)
		}
	}
	got, err := ledgerEffects(path)
	if err != nil || len(got) != 2 || len(got["E-1"]) != 2 || len(got["E-2"]) != 1 || got["E-1"][0] >= got["E-2"][0] {
		t.Errorf("%v, %v", err, got)
	}
}

// stored is a session with the given turns, as the store would have it.
func stored(t *testing.T, turns ...said) *transfer.Archive {
	t.Helper()
	a := &transfer.Archive{}
	for i, s := range turns {
		response, err := json.Marshal(s.reply)
		if err != nil {
			t.Fatal(err)
		}
		n := int64(i) + 1
		a.Turns = append(a.Turns, memory.Turn{RequestID: s.id, Number: n, Response: response})
		a.Messages = append(a.Messages,
			memory.Message{Turn: n, Role: memory.User, Text: s.text},
			memory.Message{Turn: n, Role: memory.Tool, Text: "[]"},
			memory.Message{Turn: n, Role: memory.Agent, Text: s.reply.Reply})
	}
	return a
}

func turn(id string, n int64) said {
	return said{id: id, text: "say " + id, reply: reply{Turn: n, Reply: "reply to " + id}}
}

func TestCompareSession(t *testing.T) {
	a, b, c := turn("a", 1), turn("b", 2), turn("c", 3)
	other := b
	other.reply.Reply = "something else"
	silent := stored(t, a, b, c)
	silent.Messages[5].Text = "something else"
	cases := []struct {
		name   string
		stored *transfer.Archive
		want   report
	}{
		{"all there", stored(t, a, b, c), report{}},
		{"the last is missing", stored(t, a, b), report{Lost: 1}},
		{"one is missing in the middle", stored(t, a, c), report{Lost: 1, Reordered: 1}},
		{"another reply", stored(t, a, other, c), report{Lost: 1, Reordered: 1}},
		{"another message", silent, report{Lost: 1, Reordered: 1}},
		{"swapped", stored(t, a, c, b), report{Reordered: 2}},
		{"one too many", stored(t, a, b, c, turn("d", 4)), report{Strange: 1}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			var got report
			got.compareSession(&session{turns: []said{a, b, c}}, test.stored)
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(report{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCompareEffects(t *testing.T) {
	yes := func(status ...string) *write {
		w := &write{key: "k", first: true, told: map[string]bool{}}
		for _, s := range status {
			w.told[s] = true
		}
		return w
	}
	cases := []struct {
		name    string
		writes  []*write
		effects int
		want    report
	}{
		{"done and told", []*write{yes("ok")}, 1, report{Confirmed: 1, Effects: 1, ToldDone: 1}},
		{"done twice", []*write{yes("ok")}, 2, report{Confirmed: 1, Effects: 2, ToldDone: 1, DoubleWrites: 1}},
		{"asked for twice", []*write{yes("unknown"), yes("ok")}, 2, report{Confirmed: 2, Effects: 2, ToldDone: 1, ToldUnknown: 1}},
		{"told as done", []*write{yes("ok")}, 0, report{Confirmed: 1, ToldDone: 1, MissingEffects: 1}},
		{"nobody knows, done", []*write{yes("unknown")}, 1, report{Confirmed: 1, Effects: 1, ToldUnknown: 1}},
		{"nobody knows, not done", []*write{yes("unknown")}, 0, report{Confirmed: 1, ToldUnknown: 1}},
		{"told as failed", []*write{yes("error")}, 1, report{Confirmed: 1, Effects: 1, UntoldEffects: 1}},
		{"never mentioned", []*write{yes()}, 1, report{Confirmed: 1, Effects: 1, UntoldEffects: 1}},
		{"refused", []*write{yes("error")}, 0, report{Confirmed: 1}},
		{"unasked", nil, 1, report{Effects: 1, UnaskedWrites: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got report
			effects := map[string]int{}
			if c.effects > 0 {
				effects["k"] = c.effects
			}
			got.compareEffects(c.writes, effects)
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(report{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestQuietRunDoesNotPass(t *testing.T) {
	busy := report{Cycles: 10, Acknowledged: 200, Effects: 10}
	if bad := busy.Violations(); len(bad) > 0 {
		t.Errorf("a good run fails: %q", bad)
	}
	quiet, idle := busy, busy
	quiet.Acknowledged, idle.Effects = 199, 9
	for _, r := range []report{quiet, idle} {
		if len(r.Violations()) != 1 {
			t.Errorf("a quiet run passes: %+v", r)
		}
	}
}
