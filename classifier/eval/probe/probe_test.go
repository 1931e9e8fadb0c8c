package probe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// bank serves cards and PINs.
const bank = `
version: 1
intents:
  - id: freeze_card
    title: freeze a card
    examples: [freeze my card, please block my card, i lost my credit card, "freeze [4421](card)", "[my visa](card) is gone"]
    params: {required: [{name: card, type: text, prompt: "Which card?"}]}
    plan: [{respond: done}]
  - id: change_pin
    title: change a PIN
    examples: [change my pin, i want to change my pin, can you set a new pin, renew my passports]
    plan: [{respond: done}]
not_served:
  - name: pets
    examples: [adopt a parrot]
responses: {done: Done.}
`

func agent(t *testing.T, file string) *config.Agent {
	t.Helper()
	a, err := config.Parse("agent.yaml", []byte(file), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestGeneric holds how many requests there are, that each is said once, and what an agent that
// serves some of them is not asked.
func TestGeneric(t *testing.T) {
	table := all()
	domains := map[string]int{}
	seen := map[string]bool{}
	for _, r := range table {
		domains[r.About]++
		if seen[r.Text] || strings.Contains(r.Text, "{") || r.Text == "" {
			t.Errorf("%q of %s is there twice, or not filled in", r.Text, r.About)
		}
		seen[r.Text] = true
	}
	if len(table) != 500 || len(domains) < 20 {
		t.Errorf("%d requests of %d domains, want 500 of 20 or more", len(table), len(domains))
	}
	asked, served := Generic(agent(t, bank))
	if left := len(asked) + served; left != 500 || served != 1 {
		t.Errorf("%d are asked and %d left out as served, want 499 and the passport", len(asked), served)
	}
	for _, r := range asked {
		if r.Text == "renew my passport" {
			t.Error("the agent is asked what its own example says")
		}
	}
	if !slices.ContainsFunc(asked, func(r Request) bool { return r.Text == "adopt a parrot" }) {
		t.Error("what an agent lists as not served is left out: nobody sees that it is refused")
	}
}

// TestOwnWords reads verbs and things off the examples.
func TestOwnWords(t *testing.T) {
	own := readOwn(agent(t, bank))
	if diff := cmp.Diff([]string{"change", "freeze", "block", "renew", "set"}, own.verbs); diff != "" {
		t.Errorf("verbs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"pin", "card", "credit card", "passports"}, own.things); diff != "" {
		t.Errorf("things (-want +got):\n%s", diff)
	}
}

// TestNear holds what near requests are made of, that none is served, and that they are the same
// each time.
func TestNear(t *testing.T) {
	a := agent(t, bank)
	requests := Near(a)
	if diff := cmp.Diff(requests, Near(a)); diff != "" {
		t.Errorf("made again:\n%s", diff)
	}
	if len(requests) != mostNear {
		t.Errorf("%d requests, want %d", len(requests), mostNear)
	}
	own := readOwn(a)
	seen := map[string]bool{}
	for _, r := range requests {
		words := stems(r.Text)
		if seen[r.Text] || !slices.ContainsFunc(words, func(s string) bool { return own.knows[s] }) {
			t.Errorf("%q is there twice, or has no word of the agent's", r.Text)
		}
		seen[r.Text] = true
		if slices.Contains(words, "card") && (slices.Contains(words, "block") || slices.Contains(words, "pause") || slices.Contains(words, "freez")) {
			t.Errorf("%q is served", r.Text)
		}
	}
	for _, want := range []string{"print pin", "change gym membership", "freeze pin"} { // one of each kind
		if !slices.ContainsFunc(requests, func(r Request) bool {
			return serves([][]string{stems(want)}, stems(strings.TrimSuffix(strings.TrimPrefix(r.Text, "is there a way to "), " today")))
		}) {
			t.Errorf("none is about %q", want)
		}
	}
	if n := len(Near(agent(t, "version: 1\nintents: [{id: x, examples: [eis, karte], plan: [{respond: done}]}]\nresponses: {done: Done.}\n"))); n != 0 {
		t.Errorf("an agent in whose words no request is found gets %d", n)
	}
}

// TestStem holds forms of a word to one stem.
func TestStem(t *testing.T) {
	for _, forms := range []string{"freeze freezes freezing", "stop stops stopped stopping", "policy policies", "card cards", "pass pass", "renew renewed"} {
		var first string
		for i, w := range strings.Fields(forms) {
			s := message.StemOf(w)
			if i == 0 {
				first = s
			}
			if s != first {
				t.Errorf("message.StemOf(%q) = %q, that of the first is %q", w, s, first)
			}
		}
	}
}
