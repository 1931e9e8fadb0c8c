package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/router"
)

// In these properties a kind of failure in capitals does harm: a write without a yes, a wrong
// value stored, an error. A write and an error are never known. A wrong value (CHANGE, PART) has
// an allowance only under a comment that says what is wrong. The others have a floor: what is
// known today. Both may only fall.

// TestWhatIsNoValueChangesNothing: at a confirmation a refusal, a hold or a question changes no
// param and runs no write.
func TestWhatIsNoValueChangesNothing(t *testing.T) {
	var c tally
	lists := map[string][]string{}
	for _, kind := range []string{"refusals", "holds", "questions"} {
		lists[kind] = sampled(sayings(t, "testdata/talk/"+kind+".txt"))
	}
	eachSpot(t, false, func(t *testing.T, s *spot) {
		for kind, list := range lists {
			for _, said := range list {
				reply, ok := s.hear(t, &c, said)
				if !ok {
					continue
				}
				switch diff := changed(&s.asked, &reply); {
				case s.writes(&reply) > 0:
					c.add("WRITE on "+kind, "%s: %q: %q", s, said, reply.Reply)
				case len(diff) > 0:
					c.add("CHANGE on "+kind, "%s: %q: %q: %q", s, said, diff, reply.Reply)
				case reply.Reply == s.asked.Reply:
					c.add("identical question on "+kind, "%s: %q", s, said)
				case kind != "refusals" && reply.Confirming == nil:
					c.add("question lost on "+kind, "%s: %q: %q", s, said, reply.Reply)
				case kind == "refusals" && reply.Confirming != nil:
					c.add("not declined", "%s: %q: %q", s, said, reply.Reply)
				}
			}
		}
	})
	c.held(t, map[string]int{ // they may only fall
		"identical question on questions": 46,
		"identical question on refusals":  20,
		"not declined":                    114,
		"question lost on holds":          1,
	})
}

// TestARestatementIsTakenOrTold: at a confirmation a restatement with a value changes that param to
// the value, or the reply says that nothing was changed or what was not understood. Nothing else
// changes, and nothing is written.
func TestARestatementIsTakenOrTold(t *testing.T) {
	var c tally
	templates := sayings(t, "testdata/talk/restatements.txt")
	eachSpot(t, false, func(t *testing.T, s *spot) {
		for _, name := range s.params {
			if s.def.Intent(s.intent).Param(name).Type.Builtin == "boolean" {
				continue // "no, yes" is no restatement
			}
			for k, words := range s.says[name][1:] {
				want, ok := s.taken(name, words)
				if !ok {
					c.add("no answer to its own question", "%s: %s: %q", s, name, words)
					want = words
				}
				for i, template := range templates {
					if !inSample(i) || i%(len(s.says[name])-1) != k { // each template with one of the values
						continue
					}
					said := strings.NewReplacer("{v}", words, "{old}", s.says[name][0], "{label}", s.def.Intent(s.intent).Param(name).Label).Replace(template)
					if reply, ok := s.hear(t, &c, said); ok {
						s.restated(&c, &reply, name, said, want)
					}
				}
			}
		}
	})
	c.held(t, map[string]int{ // they may only fall
		// Wrong: a clause before the value becomes the text of another param.
		// Wrong: "let's make it" stays in the text.
		"CHANGE to something else, person": 1,
		// Wrong: "not" and the old text, and "everything right but the motto, that's" stay in the text; its first word is cut off.
		"CHANGE to something else, text": 20,
		"identical question":             6,
		"not taken, declared type":       2,
		"not taken, integer":             1,
		// Wrong: the reader knows "i'd prefer 80%" and "put 25%" for no value.
		"not taken, percentage": 4,
		"not taken, person":     23,
		"not taken, text":       280,
		"task lost, number":     2,
		"task lost, text":       47,
	})
}

// restated judges the reply to a restatement.
func (s *spot) restated(c *tally, reply *router.Reply, name, said string, want any) {
	diff := changed(&s.asked, reply)
	taken := slices.Equal(diff, []string{fmt.Sprintf("%s: %v -> %v", name, s.asked.Params[name], want)})
	typed := cmp.Or(s.def.Intent(s.intent).Param(name).Type.Builtin, "declared type")
	switch {
	case s.writes(reply) > 0:
		c.add("WRITE", "%s: %q: %q", s, said, reply.Reply)
	case taken && reply.Reply == s.asked.Reply:
		c.add("identical question", "%s: %q", s, said)
	case taken:
	case len(diff) > 0:
		c.add("CHANGE to something else, "+typed, "%s: %q: %q, want %v: %q", s, said, diff, want, reply.Reply)
	case reply.Reply == s.asked.Reply:
		c.add("identical question", "%s: %q", s, said)
	case reply.Confirming == nil && reply.Asked == nil && !strings.Contains(reply.Reply, "?"):
		c.add("task lost, "+typed, "%s: %q: %q", s, said, reply.Reply)
	default:
		c.add("not taken, "+typed, "%s: %q: %q", s, said, reply.Reply)
	}
}

// TestAYesWritesOnce: at a confirmation a yes writes once.
func TestAYesWritesOnce(t *testing.T) {
	var c tally
	yeses := sampled(sayings(t, "testdata/talk/yeses.txt"))
	eachSpot(t, false, func(t *testing.T, s *spot) {
		for _, said := range yeses {
			reply, ok := s.hear(t, &c, said)
			switch n := s.writes(&reply); {
			case !ok || n == 1:
			case n > 1:
				c.add("WRITE more than once", "%s: %q: %q", s, said, reply.Reply)
			case len(changed(&s.asked, &reply)) > 0:
				c.add("CHANGE", "%s: %q: %q: %q", s, said, changed(&s.asked, &reply), reply.Reply)
			case reply.Reply == s.asked.Reply:
				c.add("identical question", "%s: %q", s, said)
			default:
				c.add("not written", "%s: %q: %q", s, said, reply.Reply)
			}
		}
	})
	c.held(t, map[string]int{"not written": 135}) // they may only fall
}

// TestAYesWithAQuestion: a yes together with a question writes nothing. The question is answered,
// the confirmation is asked again, and the yes to that writes once.
func TestAYesWithAQuestion(t *testing.T) {
	var c tally
	asking := sampled(sayings(t, "testdata/talk/asking_yeses.txt"))
	eachSpot(t, false, func(t *testing.T, s *spot) {
		for _, said := range asking {
			session := s.again(t)
			reply, ok := s.hearIn(t, &c, session, said)
			if !ok {
				continue
			}
			switch diff := changed(&s.asked, &reply); {
			case s.writes(&reply) > 0:
				c.add("WRITE", "%s: %q: %q", s, said, reply.Reply)
			case len(diff) > 0:
				c.add("CHANGE", "%s: %q: %q: %q", s, said, diff, reply.Reply)
			case reply.Reply == s.asked.Reply:
				c.add("identical question", "%s: %q", s, said)
			case reply.Confirming == nil:
				c.add("not put again", "%s: %q: %q", s, said, reply.Reply)
			default:
				if reply, ok = s.hearIn(t, &c, session, "yes"); ok && s.writes(&reply) != 1 {
					c.add("not written then", "%s: %q: %q", s, said, reply.Reply)
				}
			}
		}
	})
	c.held(t, map[string]int{})
}

// TestAWeakYesWritesNothing: a message that begins like a yes and goes on with a condition, a doubt
// or another wish, or a weak word before a question, writes nothing and changes nothing.
func TestAWeakYesWritesNothing(t *testing.T) {
	var c tally
	weak := sampled(sayings(t, "testdata/talk/weak.txt"))
	eachSpot(t, false, func(t *testing.T, s *spot) {
		for _, said := range weak {
			reply, ok := s.hear(t, &c, said)
			if !ok {
				continue
			}
			switch diff := changed(&s.asked, &reply); {
			case s.writes(&reply) > 0:
				c.add("WRITE", "%s: %q: %q", s, said, reply.Reply)
			case len(diff) > 0:
				c.add("CHANGE", "%s: %q: %q: %q", s, said, diff, reply.Reply)
			case reply.Reply == s.asked.Reply:
				c.add("identical question", "%s: %q", s, said)
			}
		}
	})
	c.held(t, map[string]int{ // they may only fall
		"CHANGE":             10, // "do it tomorrow" is read as another day, which is shown for a yes
		"identical question": 5,
	})
}

// TestRepeatIsTheSameQuestion: a request to repeat the last words gets exactly those.
func TestRepeatIsTheSameQuestion(t *testing.T) {
	var c tally
	repeats := sampled(sayings(t, "testdata/talk/repeats.txt"))
	for _, texts := range []bool{true, false} {
		eachSpot(t, texts, func(t *testing.T, s *spot) {
			for _, said := range repeats {
				reply, ok := s.hear(t, &c, said)
				switch diff := changed(&s.asked, &reply); {
				case !ok:
				case s.writes(&reply) > 0:
					c.add("WRITE", "%s: %q: %q", s, said, reply.Reply)
				case len(diff) > 0:
					c.add("CHANGE", "%s: %q: %q: %q", s, said, diff, reply.Reply)
				case reply.Reply != s.asked.Reply:
					c.add("other words", "%s: %q: %q", s, said, reply.Reply)
				}
			}
		})
	}
	c.held(t, map[string]int{})
}
