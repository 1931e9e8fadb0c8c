package cascade

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// told writes clauses as "[join] text: surest acts, stock, best task".
func told(text string, r *message.Result) string {
	points := []rune(text)
	var out []string
	for _, c := range r.Clauses {
		var acts []string
		for a, p := range c.Acts {
			if p >= 0.5 {
				acts = append(acts, message.Act(a).String())
			}
		}
		line := fmt.Sprintf("%s: %s", string(points[c.Start:c.End]), strings.Join(acts, "+"))
		if c.Join != "" {
			line = c.Join + " " + line
		}
		if len(c.Ranking) > 0 && c.Ranking[0].Confidence >= sure {
			line += " " + c.Ranking[0].Intent
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestClauses(t *testing.T) {
	c := newClassifier(t)
	for _, tc := range [][2]string{
		{"yes", "yes: yes"},
		{"yes, and where is my order?", "yes: yes; and where is my order: question order_status"},
		{"no thank you, maybe another day", "no thank you: no+thanks; maybe another day: no"},
		{"hi, cancel my order please. Thanks", "hi: greet; cancel my order please: request cancel_order; Thanks: thanks"},
		{"one sec", "one sec: hold"},
		{"12 Oak Street, Denver 80014", "12 Oak Street, Denver 80014: "},
		{"wait, what does shipping cost", "wait: hold; what does shipping cost: question shipping_cost"},
	} {
		r := classify(t, c, classifier.Input{Text: tc[0], Confirming: true})
		if got := told(tc[0], &r); got != tc[1] {
			t.Errorf("%q\n got %s\nwant %s", tc[0], got, tc[1])
		}
	}
}

// A clause's ranking holds tasks alone, and a task's stock phrase is named.
func TestClauseRanking(t *testing.T) {
	c := newClassifier(t)
	r := classify(t, c, classifier.Input{Text: "never mind, where is my order"})
	if len(r.Clauses) != 2 || r.Clauses[0].Stock != "cancel" || r.Clauses[1].Stock != "order_status" {
		t.Errorf("clauses %+v, want the stock phrases of cancel and order_status", r.Clauses)
	}
	for _, clause := range r.Clauses {
		for _, s := range clause.Ranking {
			if c.system[s.Intent] {
				t.Errorf("%q ranks the system intent %s", "never mind", s.Intent)
			}
		}
	}
}

// An agent of another language is told what its clauses do by its own examples.
// The words of a yes that are put as a question or under a condition are no stock phrase of one.
func TestStockYes(t *testing.T) {
	c := newClassifier(t)
	for text, want := range map[string]string{"ok": "affirm", "ok please": "affirm", "do it": "affirm", "ok?": "", "can you do it": "", "could you do it?": "", "if yes": ""} {
		if got := classify(t, c, classifier.Input{Text: text}).Clauses[0].Stock; got != want {
			t.Errorf("%q is the stock phrase %q, want %q", text, got, want)
		}
	}
}

func TestForeignClauses(t *testing.T) {
	agent := supportAgent()
	agent.Language = "de"
	for _, in := range agent.System {
		switch in.ID {
		case "affirm":
			in.Examples = []config.Example{{Text: "ja"}, {Text: "ja bitte"}, {Text: "gerne"}, {Text: "genau"}}
		case "deny":
			in.Examples = []config.Example{{Text: "nein"}, {Text: "nein danke"}, {Text: "lieber nicht"}}
		}
	}
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]message.Act{"Ja bitte": message.ActYes, "lieber nicht": message.ActNo, "was kostet das?": message.ActQuestion} {
		r := classify(t, c, classifier.Input{Text: text, Confirming: true})
		if best, p := r.Clauses[0].Acts.Best(); best != want || p < sure {
			t.Errorf("%q does %s %.2f, want %s", text, best, p, want)
		}
	}
}
