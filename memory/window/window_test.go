package window

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

func message(seq, turn int64, role memory.Role, tokens int) memory.Message {
	return memory.Message{Seq: seq, Turn: turn, Role: role, Tokens: tokens}
}

// Three turns; the second calls a tool.
var talk = []memory.Message{
	message(1, 1, memory.User, 10), message(2, 1, memory.Agent, 10),
	message(3, 2, memory.User, 10), message(4, 2, memory.Agent, 5), message(5, 2, memory.Tool, 50), message(6, 2, memory.Agent, 10),
	message(7, 3, memory.User, 10), message(8, 3, memory.Agent, 10),
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name   string
		list   []memory.Message
		limits Limits
		want   []int64
	}{
		{"no limits", talk, Limits{}, []int64{1, 2, 3, 4, 5, 6, 7, 8}},
		{"one turn", talk, Limits{MaxTurns: 1}, []int64{7, 8}},
		{"two turns", talk, Limits{MaxTurns: 2}, []int64{3, 4, 5, 6, 7, 8}},
		{"more turns than there are", talk, Limits{MaxTurns: 9}, []int64{1, 2, 3, 4, 5, 6, 7, 8}},
		{"tokens exactly", talk, Limits{MaxTokens: 95}, []int64{3, 4, 5, 6, 7, 8}},
		{"never half a turn", talk, Limits{MaxTokens: 94}, []int64{7, 8}},
		{"the newer is kept though an older would fit", talk, Limits{MaxTokens: 40}, []int64{7, 8}},
		{"one turn over the limit", talk, Limits{MaxTokens: 19}, nil},
		{"the stricter limit", talk, Limits{MaxTurns: 1, MaxTokens: 1000}, []int64{7, 8}},
		{"a reply without its call", talk[4:], Limits{}, []int64{6, 7, 8}},
		{"nothing", nil, Limits{MaxTurns: 3}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int64
			for _, m := range Fit(c.list, c.limits) {
				got = append(got, m.Seq)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Fit(%+v) (-want +got):\n%s", c.limits, diff)
			}
		})
	}
}

// Whatever the conversation: a tail, whole turns, within the limits, no lonely reply, and
// as long as the limits allow.
func TestFitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []memory.Message
		for turn := range rapid.Int64Range(0, 6).Draw(t, "turns") {
			for range rapid.IntRange(1, 4).Draw(t, "messages") {
				role := rapid.SampledFrom([]memory.Role{memory.User, memory.Agent, memory.Tool}).Draw(t, "role")
				list = append(list, message(int64(len(list)+1), turn+1, role, rapid.IntRange(1, 30).Draw(t, "tokens")))
			}
		}
		limits := Limits{rapid.IntRange(0, 4).Draw(t, "max turns"), rapid.IntRange(0, 90).Draw(t, "max tokens")}
		got := Fit(list, limits)
		at := len(list) - len(got)
		if diff := cmp.Diff(list[at:], got); diff != "" {
			t.Fatalf("not a tail: %s", diff)
		}
		turns, tokens := measure(got)
		if (limits.MaxTurns > 0 && turns > limits.MaxTurns) || (limits.MaxTokens > 0 && tokens > limits.MaxTokens) {
			t.Fatalf("%d turns and %d tokens within %+v", turns, tokens, limits)
		}
		if len(got) > 0 && got[0].Role == memory.Tool && at == 0 {
			t.Fatal("begins with a tool's reply")
		}
		if at > orphans(list) {
			if len(got) > 0 && list[at-1].Turn == list[at].Turn {
				t.Fatal("half a turn")
			}
			begin := max(turnBegin(list, at), orphans(list))
			turns, tokens = measure(list[begin:])
			if (limits.MaxTurns == 0 || turns <= limits.MaxTurns) && (limits.MaxTokens == 0 || tokens <= limits.MaxTokens) {
				t.Fatalf("one more turn would fit: %d turns, %d tokens within %+v", turns, tokens, limits)
			}
		}
	})
}

func measure(list []memory.Message) (turns, tokens int) {
	last := int64(-1)
	for i := range list {
		tokens += Tokens(&list[i])
		if list[i].Turn != last {
			turns, last = turns+1, list[i].Turn
		}
	}
	return turns, tokens
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{" ", 0},
		{"hello", 1},
		{"O-12345", 4},
		{"where is my order?", 5},
		{"12345678", 3},
		{"extraordinarily", 3},
		{"注文番号", 4},
		{"Привет", 3},
		{"{\"a\": 1}", 7},
		{strings.Repeat(" ", 40), 3},
		{"\xff\xfe", 2},
	} {
		if got := Estimate(c.text); got != c.want {
			t.Errorf("Estimate(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	m := memory.Message{Role: memory.Agent, Text: "hello", ToolCalls: []memory.ToolCall{{ID: "c1", Tool: "find", Args: []byte(`{}`)}}}
	if got := Tokens(&m); got != 3+1+1+2 {
		t.Errorf("Tokens = %d, want 7", got)
	}
	m.Tokens = 42
	if got := Tokens(&m); got != 42 {
		t.Errorf("Tokens of a counted message = %d, want 42", got)
	}
}
