package conversation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/router"
)

// carriers put values of one or two params into a message.
var carriers = []string{
	"{a}", "{a}, {b}", "{a} and {b}", "{a} please, and {b}", "no, {a} and {b}", "actually {a}, and {b}", "sorry, {a}, {b}",
	"what about {a}?", "can i have {a} and {b}?", "not sure, maybe {a}", "yes, {a} and {b}", "i said {a}, didn't i, and {b}",
	"my brother has {a}, and i need {b}", "the {la} is {a}", "the {la} is {a} and the {lb} is {b}", "{lb} {b}, {la} {a}",
	"hello, it's about {a}", "if possible {a}, else {b}", "{a}! {b}!", "wait, {a}", "ok {a}",
}

// TestEveryValueIsUsedOrTold: each recognised value of a message is used, or the reply mentions it.
func TestEveryValueIsUsedOrTold(t *testing.T) {
	var c tally
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("stages", func(t *testing.T) {
		for i, s := range all {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(1, uint64(i)))
				for i := range 250 {
					if inSample(i) {
						s.valued(t, &c, r)
					}
				}
			})
		}
	})
	c.held(t, map[string]int{ // they may only fall
		"dropped alone":      49,
		"dropped in company": 557,
	})
}

// unclear are the types of which a value by itself is not recognised as one.
var unclear = []string{"text", "person", "boolean", "integer", "number", "zip", "ordinal"}

// valued says values of two params somewhere.
func (s *stage) valued(t *testing.T, c *tally, r *rand.Rand) {
	t.Helper()
	at := s.spots[r.IntN(len(s.spots))]
	names := s.clearParams()
	if len(names) < 2 {
		return
	}
	i, j := r.IntN(len(names)), r.IntN(len(names)-1)
	if j >= i {
		j++
	}
	a, b := names[i], names[j]
	av, bv := s.says[a][1+r.IntN(len(s.says[a])-1)], s.says[b][1+r.IntN(len(s.says[b])-1)]
	carrier := carriers[r.IntN(len(carriers))]
	said := strings.NewReplacer("{a}", av, "{b}", bv, "{la}", s.label(a), "{lb}", s.label(b)).Replace(carrier)
	where, before := at.String(), at.asked
	var reply router.Reply
	if r.IntN(4) == 0 {
		where, before = s.name+", first", router.Reply{}
		c.try()
		var err error
		if reply, err = s.say(s.fresh(), said); err != nil {
			c.add("ERROR", "%s: %q: %v", where, said, err)
			return
		}
	} else {
		var ok bool
		if reply, ok = at.hear(t, c, said); !ok {
			return
		}
	}
	if s.writes(&reply) > 0 {
		c.add("WRITE", "%s: %q: %q", where, said, reply.Reply)
	}
	for k, name := range []string{a, b} {
		if words := []string{av, bv}[k]; strings.Contains(carrier, []string{"{a}", "{b}"}[k]) && !s.usedOrTold(&before, &reply, name, words) {
			c.add("dropped "+[]string{"alone", "in company"}[min(1, strings.Count(carrier, "{b}"))], "%s: %q: %s %s: %q, params %v, unheard %v", where, said, name, words, reply.Reply, reply.Params, reply.Unheard)
		}
	}
}

// clearParams are the params of the tasks whose values are recognised anywhere.
func (s *stage) clearParams() []string {
	var out []string
	for _, at := range s.spots {
		for _, name := range at.params {
			if p := s.def.Intent(at.intent).Param(name); !slices.Contains(unclear, p.Type.Builtin) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *stage) label(param string) string {
	for _, at := range s.spots {
		if p := s.def.Intent(at.intent).Param(param); p != nil {
			return p.Label
		}
	}
	return param
}

// usedOrTold says whether a param took words, or the reply speaks of them: it names them or the
// value that they mean, as unheard or as a question.
func (s *stage) usedOrTold(before, after *router.Reply, param, words string) bool {
	v, known := after.Params[param]
	if known && fmt.Sprint(v) != fmt.Sprint(before.Params[param]) {
		return true
	}
	low := strings.ToLower(words)
	text := strings.ToLower(after.Reply)
	for _, u := range after.Unheard {
		if u.Told && (strings.Contains(strings.ToLower(u.Text), low) || u.Param == param) {
			return true
		}
	}
	for _, v := range after.Params { // another param of the type took it
		if s.means(param, words) == fmt.Sprint(v) {
			return true
		}
	}
	return strings.Contains(text, low) || strings.Contains(text, strings.ToLower(s.means(param, words)))
}

// means is the value of words, as a task takes them.
func (s *stage) means(param, words string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := param + "\x00" + words
	if v, ok := s.meant[key]; ok {
		return v
	}
	v := words
	for _, at := range s.spots {
		if at.param == nil && slices.Contains(at.params, param) {
			if got, ok := at.taken(param, words); ok {
				v = fmt.Sprint(got)
			}
			break
		}
	}
	if s.meant == nil {
		s.meant = map[string]string{}
	}
	s.meant[key] = v
	return v
}
