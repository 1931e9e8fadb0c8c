package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/slotway/slotway/memory"
)

// Real kills in the middle of memory's work, end to end.
func TestMemorySurvives(t *testing.T) {
	t.Parallel()
	needHeavy(t)
	var stdout, stderr bytes.Buffer
	args := []string{"-memory", "-expire", "-cycles", "4", "-clients", "3", "-seed", "1", "-json"}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r memoryReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Cycles != 4 || r.Blocks == 0 {
		t.Errorf("%v in %s", err, stdout.String())
	}
}

func TestBroken(t *testing.T) {
	var all []memory.Message
	for seq := range int64(9) {
		all = append(all, memory.Message{Seq: seq + 1, Retracted: seq == 4})
	}
	for _, c := range []struct {
		name string
		list []piece
		want int
	}{
		{"nothing", nil, 0},
		{"in a row", []piece{{1, 3, 3}, {4, 6, 2}, {7, 8, 2}}, 0},
		{"not from the first on", []piece{{2, 3, 2}}, 1},
		{"a gap", []piece{{1, 3, 3}, {5, 6, 1}}, 1},
		{"an overlap", []piece{{1, 3, 3}, {3, 4, 2}}, 1},
		{"one twice", []piece{{1, 3, 3}, {1, 3, 3}}, 1},
		{"a message short", []piece{{1, 3, 2}}, 1},
		{"the wrong way round", []piece{{1, 3, 3}, {4, 3, 0}}, 1},
	} {
		if got := broken(c.list, all); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestEachRow(t *testing.T) {
	row := make([]byte, segmentRow)
	row[0] = 5
	data := append([]byte{1, toyDimension, 0}, row...)
	var got []int64
	if err := eachRow(data, "000002", func(seq int64) { got = append(got, seq) }); err != nil || len(got) != 1 || got[0] != 2*64+6 {
		t.Errorf("%v, %v", got, err)
	}
	for name, bad := range map[string][]byte{"cut": data[:len(data)-1], "empty": nil, "of another length": {1, 9, 0}} {
		if eachRow(bad, "000002", func(int64) {}) == nil {
			t.Errorf("a segment that is %s is read", name)
		}
	}
}

func TestDifferences(t *testing.T) {
	a := map[string]string{"a": "1", "b": "2"}
	for want, b := range []map[string]string{{"a": "1", "b": "2"}, {"a": "1", "b": "3"}, {"a": "2", "c": "3"}} {
		if want == 2 {
			want = 3 // one differs, one is gone, one is new
		}
		if got := differences(a, b); got != want {
			t.Errorf("%v: %d, want %d", b, got, want)
		}
	}
}

func TestQuietMemoryDoesNotPass(t *testing.T) {
	busy := memoryReport{Cycles: 9, Acknowledged: 180, Blocks: 9, Documents: 4, KillsInWork: 3, Sessions: 16}
	if bad := busy.Violations(); len(bad) > 0 {
		t.Errorf("a good run fails: %q", bad)
	}
	for name, spoil := range map[string]func(*memoryReport){
		"few turns": func(r *memoryReport) { r.Acknowledged = 179 }, "few blocks": func(r *memoryReport) { r.Blocks = 8 },
		"few documents": func(r *memoryReport) { r.Documents = 3 }, "few hits": func(r *memoryReport) { r.KillsInWork = 2 },
		"a lost job": func(r *memoryReport) { r.JobsLost = 1 }, "a changed block": func(r *memoryReport) { r.BlocksChanged = 1 },
	} {
		r := busy
		spoil(&r)
		if bad := r.Violations(); len(bad) != 1 {
			t.Errorf("%s: %q", name, bad)
		}
	}
}
