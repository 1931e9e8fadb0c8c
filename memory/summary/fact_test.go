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
		{"My order number is O-12345.", []string{"order_id=O-12345 user"}},
		{"I'd like to cancel order #1234", []string{"order_id=#1234 user", "decision=cancel order #1234 user"}},
		{"Where is order number: 55231, or ticket no 78-12?", []string{"order_id=55231 user", "ticket_id=78-12 user"}},
		{"My account number is AB-1234.", []string{"account_number=AB-1234 user"}},
		{"I want to order 1200 lamps", nil},
		{"I approve the refund of $50", []string{"refund_approved=yes user", "refund_amount=$50 user"}},
		{"I never approved the refund", nil},
		{"Will the refund be approved?", nil},
		{"agent: Your order totals $50.", []string{"order_amount=$50 rule"}},
		{"agent: The refund was declined.", []string{"refund_approved=no rule"}},
		{"agent: Done: order O-12345 is cancelled.", []string{"order_id=O-12345 rule", "order[O-12345].status=cancelled rule"}},
		{"agent: Order #77, wool blanket, is pending.", []string{"order_id=#77 rule", "order[#77].status=pending rule"}},
		{"agent: Your order has been canceled.", []string{"order_status=cancelled rule"}},
		{"agent: Your order has not been cancelled.", nil},
		{"agent: A refund takes five days, counted from the day your return reaches us or the order is cancelled.", nil},
		{"agent: All right, your new order is confirmed.", []string{"order_status=confirmed rule"}},
		{"agent: Once your order is shipped, you get a mail.", nil},
		{"my order is cancelled but I did not do that", nil},
		{"agent: Refunds are possible within 30 days.", []string{"refund_condition=within 30 days rule"}},
		{"agent: Your refund arrives within 5 days.", nil},
		{"Refund it only if it arrives late.", []string{"refund_condition=only if it arrives late user"}},
		{"I'll take the blue one, thanks", []string{"decision=I'll take the blue one user"}},
		{"Please cancel my subscription!", []string{"decision=cancel my subscription user"}},
		{"Please don't cancel my subscription.", nil},
		{"How do I cancel my subscription?", nil},
		{"Should I take the blue one? Can I cancel it?", nil},
		{"We decided to move the party to 4 May 2026", []string{"decision=We decided to move the party to 4 May 2026 user", "date=4 May 2026 rule"}},
		{"I'm allergic to peanuts, sadly.", []string{"allergy=peanuts user"}},
		{"I am not allergic to peanuts.", []string{"not allergy=peanuts user"}},
		{"I'm no longer allergic to cats", []string{"not allergy=cats user"}},
		{"I was allergic to milk as a child.", nil},
		{"My brother is allergic to bees.", nil},
		{"We moved from Leeds to Bristol in May.", []string{"home=Bristol user"}},
		{"I no longer live in Porto.", []string{"not home=Porto user"}},
		{"My sister's name is Ines.", []string{"sister_s_name=Ines user"}},
		{"My neighbour's order is P-7710.", []string{"neighbour_s_order=P-7710 user"}},
		{"I might cancel my subscription.", nil},
		{"If I were allergic to nuts I would say so.", []string{"condition=If I were allergic to nuts I would say so user"}},
		{"No problem, but I am allergic to nuts", []string{"allergy=nuts user"}},
		{"My address was: 5 Mill Lane", nil},
		{"My favourite colour is not green", []string{"not favourite_colour=not green user"}},
		{"Send it only if it arrives before Friday.", []string{"condition=only if it arrives before Friday user"}},
		{"I wonder if it rains. What if it rains?", nil},
		{"Never call me at work.", []string{"condition=Never call me at work user"}},
		{"It was $1,250.50 for 3 nights, or 90 euros.", []string{"amount=$1,250.50 rule", "amount=90 euros rule", "quantity=3 nights rule"}},
		{"My favourite colour is green.", []string{"favourite_colour=green user"}},
		{"I work at a bakery in town.", []string{"work=a bakery in town user"}},
		{"agent: Your refund has been approved.", []string{"refund_approved=yes rule"}},
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
			line := f.Key + "=" + f.Value + " " + string(f.Origin)
			if f.denied {
				line = "not " + line
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tc.text, diff)
		}
	}
}

// What a yes or no says of the question before it.
func TestDecided(t *testing.T) {
	for _, tc := range []struct{ asked, said, want string }{
		{"Cancel order O-12345, wool blanket? This can't be undone.", "yes", "Cancel order O-12345, wool blanket? yes"},
		{"Shall I book it?", "No, thank you.", "Shall I book it? no"},
		{"Shall I book it?", "What does it cost?", ""},
		{"What's your order number?", "yes", ""},
		{"Is there anything else?", "no", ""},
		{"It is booked.", "yes", ""},
	} {
		var got strings.Builder
		for _, f := range answerFact(lastQuestion(&memory.Message{Role: memory.Agent, Text: tc.asked}), &memory.Message{Role: memory.User, Text: tc.said}) {
			got.WriteString(f.Value)
		}
		if got.String() != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.asked, tc.said, got.String(), tc.want)
		}
	}
}

// A state ends when the same thing has another one, whoever says so; the states of other
// things stand.
func TestStatesEnd(t *testing.T) {
	tool := func(key, value string) finding { return fact(key, value, memory.FromTool, true, day) }
	rule := func(key, value string) finding { return fact(key, value, memory.FromRule, true, day) }
	for name, tc := range map[string]struct {
		found []finding
		want  []string // that hold
	}{
		"another tool":            {[]finding{tool("find_orders[O-1].status", "pending"), tool("cancel_order[O-1].status", "cancelled")}, []string{"cancel_order[O-1].status=cancelled"}},
		"the reply":               {[]finding{tool("find_orders[O-1].status", "pending"), rule("order[O-1].status", "cancelled")}, []string{"order[O-1].status=cancelled"}},
		"the reply, with a #":     {[]finding{tool("order[77].status", "pending"), rule("order[#77].status", "cancelled")}, []string{"order[#77].status=cancelled"}},
		"the reply, unnamed":      {[]finding{tool("find_orders[O-1].status", "pending"), rule("order_status", "cancelled")}, []string{"order_status=cancelled"}},
		"unnamed, of two":         {[]finding{tool("find_orders[O-1].status", "pending"), tool("find_orders[O-2].status", "sent"), rule("order_status", "cancelled")}, []string{"find_orders[O-1].status=pending", "find_orders[O-2].status=sent", "order_status=cancelled"}},
		"of another order":        {[]finding{tool("find_orders[O-1].status", "pending"), rule("order[O-2].status", "cancelled")}, []string{"find_orders[O-1].status=pending", "order[O-2].status=cancelled"}},
		"of another kind":         {[]finding{tool("get_order[5].status", "pending"), tool("get_customer[5].status", "active")}, []string{"get_order[5].status=pending", "get_customer[5].status=active"}},
		"the same again":          {[]finding{tool("find_orders[O-1].status", "pending"), tool("get_order[O-1].status", "pending")}, []string{"find_orders[O-1].status=pending"}},
		"something else of it":    {[]finding{tool("find_orders[O-1].status", "pending"), tool("get_order[O-1].total", "5")}, []string{"find_orders[O-1].status=pending", "get_order[O-1].total=5"}},
		"a tool without a number": {[]finding{tool("find_orders[O-1].status", "pending"), tool("cancel_order.status", "cancelled")}, []string{"cancel_order.status=cancelled"}},
		"a model":                 {[]finding{tool("find_orders[O-1].status", "pending"), fact("order_status", "cancelled", memory.FromLLM, true, day)}, []string{"find_orders[O-1].status=pending", "order_status=cancelled"}},
	} {
		var l ledger
		for _, f := range tc.found {
			l.add(f)
		}
		var got []string
		for _, f := range l.Facts {
			if open(&f) {
				got = append(got, f.Key+"="+f.Value)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
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
	return finding{Fact: memory.Fact{Key: key, Value: value, Origin: origin, ValidFrom: at}, single: single}
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
