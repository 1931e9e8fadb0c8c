package summary

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

func none(string) bool { return false }

// What rules find in one message, checked by hand.
func TestRuleFacts(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"Hi, my name is Alice Moreau and I live in Porto.", []string{"name=Alice Moreau user", "home=Porto user"}},
		{"My order number is O-12345.", []string{"order_number=O-12345 user", "id=O-12345 rule"}},
		{"I'll take the blue one, thanks", []string{"decision=I'll take the blue one user"}},
		{"Please cancel my subscription!", []string{"decision=cancel my subscription user"}},
		{"Please don't cancel my subscription.", nil},
		{"How do I cancel my subscription?", nil},
		{"Should I take the blue one? Can I cancel it?", nil},
		{"We decided to move the party to 4 May 2026", []string{"decision=We decided to move the party to 4 May 2026 user", "date=4 May 2026 rule"}},
		{"I'm allergic to peanuts, sadly.", []string{"allergy=peanuts user"}},
		{"Send it only if it arrives before Friday.", []string{"condition=only if it arrives before Friday user"}},
		{"I wonder if it rains. What if it rains?", nil},
		{"Never call me at work.", []string{"condition=Never call me at work user"}},
		{"It was $1,250.50 for 3 nights, or 90 euros.", []string{"amount=$1,250.50 rule", "amount=90 euros rule", "quantity=3 nights rule"}},
		{"My favourite colour is green.", []string{"favourite_colour=green user"}},
		{"I work at a bakery in town.", []string{"work=a bakery in town user"}},
		{"agent: Your refund has been approved.", []string{"decision=Your refund has been approved rule"}},
		{"agent: My name is Slotway", nil},
		{"this is great and this is it", nil},
	} {
		m := memory.Message{Seq: 7, Role: memory.User, Text: tc.text}
		if text, ok := strings.CutPrefix(tc.text, "agent: "); ok {
			m.Role, m.Text = memory.Agent, text
		}
		var got []string
		for _, f := range ruleFacts(&m, none) {
			if f.Source != 7 {
				t.Errorf("%q: source %d", tc.text, f.Source)
			}
			got = append(got, f.Key+"="+f.Value+" "+string(f.Origin))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestResultFacts(t *testing.T) {
	m := memory.Message{Seq: 3, Role: memory.Tool, Name: "find_orders", Text: `{"orders":[
		{"id":"O-1","status":"shipped","total":12.5,"email":"a@b.example"},{"id":"O-2","gift":true}],"page":1,"empty":null}`}
	got := map[string]string{}
	for _, f := range resultFacts(&m, func(p string) bool { return p == "email" }) {
		got[f.Key] = f.Value + " " + string(f.Category)
		if f.Sensitive != (f.Key == "find_orders.orders[O-1].email") {
			t.Errorf("%s: sensitive %v", f.Key, f.Sensitive)
		}
	}
	want := map[string]string{
		"find_orders.orders[O-1].id": "O-1 ENTITY", "find_orders.orders[O-1].status": "shipped STATE",
		"find_orders.orders[O-1].total": "12.5 NUMERIC", "find_orders.orders[O-1].email": "a@b.example ENTITY",
		"find_orders.orders[O-2].id": "O-2 ENTITY", "find_orders.orders[O-2].gift": "true STATE",
		"find_orders.page": "1 NUMERIC",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.Text = "not JSON"
	if got := resultFacts(&m, none); got != nil {
		t.Errorf("of no JSON: %v", got)
	}
}

func fact(key, value string, origin memory.Origin, single bool, at time.Time) finding {
	return finding{memory.Fact{Key: key, Value: value, Origin: origin, ValidFrom: at}, single}
}

func state(l *ledger) []string {
	var out []string
	for _, f := range l.Facts {
		s := f.Key + "=" + f.Value + " " + string(f.Origin)
		if !open(&f) {
			s += " until " + f.ValidTo.Format("15:04")
		}
		out = append(out, s)
	}
	return out
}

func TestPrecedence(t *testing.T) {
	at := func(minute int) time.Time { return day.Add(time.Duration(minute) * time.Minute) }
	var l ledger
	l.add(fact("id", "O-1", memory.FromRule, false, at(0)))
	l.add(fact("name", "Al", memory.FromLLM, true, at(0)))
	l.add(fact("name", "Ada", memory.FromUser, true, at(1)))
	l.add(fact("name", "Bob", memory.FromLLM, true, at(2)))
	l.params(map[string]any{"name": "Ada Byron", "order_id": "O-1"}, at(3), 9, none)
	l.add(fact("name", "Eve", memory.FromUser, true, at(4)))
	l.add(fact("id", "o-1", memory.FromRule, false, at(4)))
	l.add(fact("id", "O-2", memory.FromRule, false, at(4)))
	l.params(map[string]any{"name": "Ada Byron", "order_id": "O-2"}, at(5), 11, none)
	l.params(map[string]any{"order_id": "O-2"}, at(6), 13, none)
	want := []string{
		"name=Al llm until 09:01", "name=Ada user until 09:03", "name=Ada Byron slot until 09:06",
		"order_id=O-1 slot until 09:05", "order_id=O-2 slot",
	}
	if diff := cmp.Diff(want, state(&l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLedgerIsBounded(t *testing.T) {
	var l ledger
	l.params(map[string]any{"city": "Oslo"}, day, 1, none)
	for i := range 3 * maxFacts {
		l.add(fact("note", strings.Repeat("x", i%150)+"y"+string(rune('a'+i%26)), memory.FromRule, false, day))
	}
	l.add(fact("long", strings.Repeat("x", maxValue+1), memory.FromUser, false, day))
	if len(l.Facts) != maxFacts || l.Facts[0].Key != "city" {
		t.Errorf("%d facts, the first is %s", len(l.Facts), l.Facts[0].Key)
	}
}

// A value that a redacted param has is sensitive under every key.
func TestSensitiveEverywhere(t *testing.T) {
	var l ledger
	l.add(fact("find.mail", "ADA@b.example", memory.FromTool, true, day))
	l.params(map[string]any{"email": "ada@b.example", "city": "Oslo"}, day, 1, func(p string) bool { return p == "email" })
	l.hide()
	for _, f := range l.Facts {
		if f.Sensitive != (f.Key != "city") {
			t.Errorf("%s: sensitive %v", f.Key, f.Sensitive)
		}
	}
}
