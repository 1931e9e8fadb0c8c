package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/slotway/slotway/router"
)

// dress are ways to say the same thing: in other letters, with a stop, "please", a greeting
// before, thanks after.
var dress = map[string]func(string) string{
	"upper case":     strings.ToUpper,
	"lower case":     strings.ToLower,
	"a capital":      func(s string) string { return string(unicode.ToUpper([]rune(s)[0])) + string([]rune(s)[1:]) },
	"a full stop":    func(s string) string { return s + "." },
	"a mark":         func(s string) string { return s + "!" },
	"three marks":    func(s string) string { return s + "!!!" },
	"three dots":     func(s string) string { return s + "..." },
	"please behind":  func(s string) string { return s + " please" },
	"please apart":   func(s string) string { return s + ", please" },
	"please first":   func(s string) string { return "please " + s },
	"hi":             func(s string) string { return "hi, " + s },
	"hello":          func(s string) string { return "Hello! " + s },
	"good morning":   func(s string) string { return "good morning " + s },
	"hey there":      func(s string) string { return "hey there, " + s },
	"thanks":         func(s string) string { return s + ", thanks" },
	"thank you":      func(s string) string { return s + ". thank you" },
	"much thanks":    func(s string) string { return s + ", thank you very much!" },
	"all of it":      func(s string) string { return "Hello, " + strings.ToUpper(s) + " PLEASE! Thanks" },
	"greeted kindly": func(s string) string { return "Hi, please " + s + ". Thank you." },
	"spaces":         func(s string) string { return "  " + strings.ReplaceAll(s, " ", "  ") + " " },
}

// takenFor is what a message was taken for.
func takenFor(r *router.Reply) string {
	var calls []string
	for _, c := range r.ToolCalls {
		calls = append(calls, c.Tool)
	}
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	return strings.ToLower(fmt.Sprint(r.Intent, " asks ", text(r.Asked), " confirms ", text(r.Confirming), " knows ", r.Params, " calls ", calls))
}

// TestDressChangesNothing: letter case, final punctuation, please, a greeting before and thanks
// after do not change how a message is understood.
func TestDressChangesNothing(t *testing.T) {
	var c tally
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("stages", func(t *testing.T) {
		for _, s := range all {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				for _, m := range sampled(s.messages()) {
					s.dressed(t, &c, m)
				}
			})
		}
	})
	c.held(t, map[string]int{ // they may only fall
		"other with all of it":    1,
		"other with good morning": 23,
		// Wrong: beside "Hi" the param named greeting is asked for as well.
		"other with greeted kindly": 1,
		// "no, make it 12" that fits no param: a no either way, in the name of another rule.
		"other with spaces": 4,
	})
}

// message is something to say: at a spot, or first of all.
type message struct {
	at   *spot
	text string
	bare bool // it brings no value
}

// messages are what the agent understands at several places, in its plain form.
func (s *stage) messages() []message {
	var out []message
	for _, in := range s.def.Intents {
		if in.System {
			continue
		}
		for i, e := range in.Examples {
			if i < 4 && !strings.HasSuffix(e.Text, "?") {
				out = append(out, message{text: e.Text})
			}
		}
	}
	for _, at := range s.spots {
		if at.param != nil {
			for _, said := range []string{"wait a minute", "i don't know", "stop", "why do you need that"} {
				out = append(out, message{at, said, true})
			}
			continue
		}
		for _, said := range []string{"yes", "no", "hold on", "not sure", "go ahead", "that's wrong"} {
			out = append(out, message{at, said, true})
		}
		for _, name := range at.params {
			if p := s.def.Intent(at.intent).Param(name); !slices.Contains([]string{"text", "person", "boolean"}, p.Type.Builtin) {
				out = append(out,
					message{at: at, text: "no, make it " + s.says[name][1]}, message{at: at, text: "actually " + s.says[name][1]},
					message{at: at, text: "the " + p.Label + " is " + s.says[name][1]})
			}
		}
	}
	return out
}

// dressed compares a message in every dress with its plain form.
func (s *stage) dressed(t *testing.T, c *tally, m message) {
	t.Helper()
	at, text := m.at, m.text
	hear := func(said string) (router.Reply, bool) {
		if at != nil {
			return at.hear(t, c, said)
		}
		c.try()
		reply, err := s.say(s.fresh(), said)
		if err != nil {
			c.add("ERROR", "%s: %q: %v", s.name, said, err)
		}
		return reply, err == nil
	}
	where := s.name
	if at != nil {
		where = at.String()
	}
	plain, ok := hear(text)
	if !ok {
		return
	}
	for name, f := range dress {
		reply, ok := hear(f(text))
		switch want, got := takenFor(&plain), takenFor(&reply); {
		case !ok || want == got:
		case s.writes(&reply) > s.writes(&plain):
			c.add("WRITE with "+name, "%s: %q: %q", where, f(text), reply.Reply)
		case m.bare && len(changed(&at.asked, &reply)) > 0:
			c.add("CHANGE with "+name, "%s: %q: %q: %q", where, f(text), changed(&at.asked, &reply), reply.Reply)
		default:
			c.add("other with "+name, "%s: %q: %s: %q, plain: %s", where, f(text), got, reply.Reply, want)
		}
	}
}
