package conversation

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
)

// Drawn agents: tasks and params put together by chance, so that nothing can be built for the
// agents of testdata/talk alone. SLOTWAY_TALK_DRAWS says how many; plain `go test` takes a few.
const fewDraws = 3

// drawnTask is a task that an agent may have. Its first example begins it in the tests.
type drawnTask struct{ id, verb, noun, examples string }

var drawnTasks = []drawnTask{
	{"order_tea", "Order", "the tea", "i want to order tea|get me some tea|tea please|we are out of tea"},
	{"rent_boat", "Rent", "the boat", "i want to rent a boat|lend us a boat|we need a boat|take a boat out"},
	{"open_account", "Open", "the account", "open an account for me|i need an account|become a customer|get an account"},
	{"plan_visit", "Plan", "the visit", "i want to plan a visit|we would like to visit you|arrange a tour|come and see the place"},
	{"print_photos", "Print", "the photos", "print my photos|i want prints|have pictures printed|prints of my pictures"},
	{"report_fault", "Report", "the fault", "i want to report a fault|something is broken|there is a fault|the thing does not work"},
	{"book_cook", "Book", "the cook", "i want to book a cook|we need somebody to cook for us|hire a chef|have a chef come"},
	{"ship_piano", "Ship", "the piano", "ship my piano|my piano has to be moved|transport a piano|carry the piano"},
	{"donate_blood", "Register", "the donation", "i want to donate blood|give blood|become a donor|blood donation"},
	{"buy_seeds", "Buy", "the seeds", "i want to buy seeds|seeds for my garden|get some seeds|i need seeds"},
	{"insure_bike", "Insure", "the bike", "insure my bike|i want insurance for my bike|bike insurance|protect my bike"},
	{"fix_roof", "Repair", "the roof", "my roof has to be repaired|fix the roof|the roof leaks, send somebody|repair a roof"},
}

// drawnParam is a param that a task may have, with values as people say them.
type drawnParam struct{ name, spec, says string }

var drawnParams = []drawnParam{
	{"colour", "{type: colour, label: colour, prompt: 'Which colour: red, green or dark blue?'}", "red|dark blue|green"},
	{"code", "{type: kcode, label: customer code, prompt: 'What is your customer code?'}", "K-4711|K-2093|K-8850"},
	{"amount", "{type: money, label: amount, prompt: 'What amount?'}", "40 euros|65 euros|120.50 euros"},
	{"count", "{type: integer, label: quantity, prompt: 'How many?'}", "3|7|12"},
	{"litres", "{type: number, label: litres, prompt: 'How many litres?'}", "2.5|4|6.5"},
	{"day", "{type: date, label: day, prompt: 'Which day?'}", "12 March|20 March|tomorrow"},
	{"hour", "{type: time, label: time, prompt: 'At what time?'}", "10:30|3 pm|17:15"},
	{"long", "{type: duration, label: duration, prompt: 'For how long?'}", "2 hours|3 hours|45 minutes"},
	{"mail", "{type: email, label: email address, prompt: 'Which email address?'}", "kim@example.com|lee@example.org|sam@example.net"},
	{"phone", "{type: phone, label: phone number, prompt: 'Which phone number?'}", "+49 170 1234567|+49 151 7654321|+44 20 7946 0123"},
	{"rate", "{type: percentage, label: rate, prompt: 'What rate?'}", "10%|25%|40%"},
	{"insured", "{type: boolean, label: insurance, prompt: 'With insurance?'}", "yes|no"},
	{"zip", "{type: zip, label: ZIP code, prompt: 'Which ZIP code?'}", "73301|80014|02110"},
	{"person", "{type: person, label: contact person, prompt: 'Who is the contact person?'}", "Maria Lopez|John Smith|Wei Chen"},
	{"where", "{type: text, shape: address, label: address, prompt: 'What is the address? Street, number and town.'}", "9 Elm Street, Austin 73301|14 Oak Avenue, Denver 80014|31 Mill Lane, Leeds"},
	{"holder", "{type: text, shape: name, label: holder's name, prompt: 'In whose name?'}", "Ada Park|June Summers|Tom Baker"},
	{"remark", "{type: text, shape: sentence, label: remark, prompt: 'What should we know?'}", "The door bell is broken|We have two dogs|I come with my daughter"},
	{"motto", "{type: text, shape: title, label: motto, prompt: 'Under which motto?'}", "Quiet Morning Light|A Garden of Stars|Winter Journal"},
}

// drawTalk draws the YAML of an agent and its hints.
func drawTalk(t *rapid.T) (agent, hints string) {
	var a, h, params, responses, callees strings.Builder
	tasks := rapid.Permutation(drawnTasks).Draw(t, "tasks")[:rapid.IntRange(2, 3).Draw(t, "number of tasks")]
	used := map[string]bool{}
	for _, task := range tasks {
		own := rapid.Permutation(drawnParams).Draw(t, "params of "+task.id)[:rapid.IntRange(2, 4).Draw(t, "number of params")]
		var names, with, said []string
		for _, p := range own {
			names, with, said = append(names, p.name), append(with, p.name+": $"+p.name), append(said, "{"+p.name+"}")
			if !used[p.name] {
				used[p.name] = true
				fmt.Fprintf(&params, "  %s: %s\n", p.name, p.spec)
				fmt.Fprintf(&h, "%s: %s\n", p.name, strings.ReplaceAll(p.says, "|", " | "))
			}
		}
		examples := strings.Split(task.examples, "|")
		fmt.Fprintf(&h, "open %s: %s\n", task.id, examples[0])
		fmt.Fprintf(&a, "  - id: %s\n    description: %s %s\n    examples:\n      - %s\n", task.id, strings.ToLower(task.verb), strings.TrimPrefix(task.noun, "the "), strings.Join(examples, "\n      - "))
		fmt.Fprintf(&a, "    params: {required: [%s]}\n    plan:\n      - confirm: \"%s %s: %s?\"\n", strings.Join(names, ", "), task.verb, task.noun, strings.Join(said, ", "))
		if rapid.Bool().Draw(t, "denied") {
			a.WriteString("        denied: left\n")
		}
		if rapid.Bool().Draw(t, "help") {
			a.WriteString("        help: It is done on the same day and costs nothing.\n")
		}
		fmt.Fprintf(&a, "      - call: do_%s\n        with: {%s}\n      - respond: done_%s\n", task.id, strings.Join(with, ", "), task.id)
		fmt.Fprintf(&callees, "  do_%s: {kind: static, effect: write, result: true}\n", task.id)
		fmt.Fprintf(&responses, "  done_%s: \"Done, %s is taken care of.\"\n", task.id, task.noun)
	}
	return "version: 1\nagent: {id: drawn, description: Drawn by chance, language: en, timezone: UTC}\nclassifier: {fallback: other}\n" +
		"types:\n  colour: {values: [red, green, {value: dark blue, synonyms: [navy]}]}\n  kcode: {patterns: ['(?i)\\b(K-\\d{4})\\b'], normalize: [upper], example: K-4711}\n" +
		"params:\n" + params.String() + "intents:\n" + a.String() +
		"  - id: other\n    description: anything else\n    answer_only: true\n    plan: [{respond: other}]\n" +
		"tools:\n" + callees.String() + "responses:\n  other: \"That is not for me.\"\n  left: \"Fine, it is left undone.\"\n" + responses.String(), h.String()
}

// drawnStages returns stages of drawn agents, which are not opened yet.
func drawnStages() ([]*stage, error) {
	n := fewDraws
	if text := os.Getenv("SLOTWAY_TALK_DRAWS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			return nil, fmt.Errorf("SLOTWAY_TALK_DRAWS: %w", err)
		}
	}
	type drawn struct{ agent, hints string }
	draw := rapid.Custom(func(t *rapid.T) drawn {
		agent, hints := drawTalk(t)
		return drawn{agent, hints}
	})
	var all []*stage
	for i := range n {
		d := draw.Example(i)
		def, err := config.Parse("drawn.yaml", []byte(d.agent), "")
		if err != nil {
			return nil, fmt.Errorf("%s\n%w", d.agent, err)
		}
		s := &stage{name: fmt.Sprintf("drawn%d", i), def: def}
		s.hints(d.hints)
		all = append(all, s)
	}
	return all, nil
}
