package summary

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// TestStatements: of what people say of themselves, of others, of the past and of what is not so, rules
// find 95 of 100 facts, and no false one.
func TestStatements(t *testing.T) {
	data, err := os.ReadFile("testdata/statements.tsv")
	if err != nil {
		t.Fatal(err)
	}
	statements, right := 0, 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		facts := factsOf(columns[0])
		missed := false
		for _, check := range columns[1:] {
			if keeps(facts, check) {
				continue
			}
			missed = true
			if check[0] != '+' {
				t.Errorf("%q breaks %q: %v", columns[0], check, facts)
			}
		}
		if statements++; missed {
			t.Logf("missed: %q", columns[0])
		} else {
			right++
		}
	}
	t.Logf("%d of %d statements", right, statements)
	if statements < 100 || 100*right < 95*statements {
		t.Errorf("%d of %d statements are right", right, statements)
	}
}

// factsOf returns the facts that hold after messages.
func factsOf(messages string) []memory.Fact {
	var l ledger
	for i, text := range strings.Split(messages, "|") {
		m := memory.Message{Seq: int64(i + 1), Role: memory.User, Text: text, Timestamp: day.Add(time.Duration(i) * time.Minute)}
		for _, f := range ruleFacts(&m, none) {
			l.add(f)
		}
	}
	return l.current()
}

// keeps reports whether facts keep to one column of the file.
func keeps(facts []memory.Fact, check string) bool {
	want := check[1:]
	key, value, valued := strings.Cut(want, "=")
	said, who, _ := strings.Cut(want, ":")
	breaks := map[byte]func(memory.Fact) bool{
		'=': func(f memory.Fact) bool { return f.Value == want },
		'!': func(f memory.Fact) bool { return f.Category != memory.Condition && strings.Contains(f.Value, want) },
		'-': func(f memory.Fact) bool { return f.Key == key && (!valued || strings.Contains(f.Value, value)) },
		'~': func(f memory.Fact) bool {
			return strings.Contains(f.Value, said) && !strings.Contains(f.Key+f.Value, who)
		},
	}[check[0]]
	if breaks == nil {
		return slices.ContainsFunc(facts, func(f memory.Fact) bool { return strings.Contains(f.Value, want) })
	}
	return !slices.ContainsFunc(facts, breaks)
}
