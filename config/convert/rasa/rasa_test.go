package rasa_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/rasa"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden compares what is made of two bots of our own, file by file. A test in cmd/slotway plays
// their conversations.
func TestGolden(t *testing.T) {
	for _, name := range []string{"library", "parcels"} {
		t.Run(name, func(t *testing.T) {
			bot, err := rasa.Read(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), name)
			if err := bot.Write(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
				t.Fatal(err)
			}
			var report strings.Builder
			if err := bot.Report.Print(&report, false); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".golden")
			compare(t, filepath.Join(golden, "report.txt"), report.String())
			for _, file := range []string{convert.AgentFile, convert.TestsFile} {
				got, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				compare(t, filepath.Join(golden, filepath.Base(file)), string(got))
			}
		})
	}
}

// The how-to shows what the import of the library prints.
func TestHowto(t *testing.T) {
	page, err := os.ReadFile("../../../docs/howto/import-rasa.md")
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile("testdata/library.golden/report.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```text\n")
	shown, _, _ = strings.Cut(shown, "```")
	for line := range strings.Lines(shown) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line != "  ..." && !strings.Contains(line, "agent.yaml") && !strings.Contains(string(report), line+"\n") {
			t.Errorf("the how-to shows %q, the report has no such line", line)
		}
	}
}

func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); go test -update writes it:\n%s", golden, diff)
	}
}

// read reads a bot of one file.
func read(t *testing.T, text string) *convert.Bot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bot.yml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bot, err := rasa.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

func param(t *testing.T, b *convert.Bot, name string) *convert.Param {
	t.Helper()
	i := slices.IndexFunc(b.Params, func(p *convert.Param) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no param %s", name)
	}
	return b.Params[i]
}

// reported reports whether a note with an outcome has a text in it.
func reported(b *convert.Bot, outcome convert.Outcome, text string) bool {
	return slices.ContainsFunc(b.Report.Of(outcome), func(n convert.Note) bool { return strings.Contains(n.Text, text) })
}

// slotsOf returns a bot with one form that asks for the slots.
func slotsOf(slots string) string {
	var names []string
	for line := range strings.SplitSeq(slots, "\n") {
		if name, _, ok := strings.Cut(line, ": {"); ok && strings.HasPrefix(line, "  ") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return "intents: [order]\nslots:\n" + slots + "\nforms: {order_form: {required_slots: [" + strings.Join(names, ", ") + "]}}\n" + `
rules:
- rule: order
  steps: [{intent: order}, {action: order_form}, {active_loop: order_form}, {active_loop: null}, {action: action_order}]
nlu:
- intent: order
  examples: |
    - order something
    - an order for [Ann](PERSON)
    - [tea](drink), please
    - some [tea](drink)
    - a pot of [tea](drink)
    - one [coffee](drink)
    - two [coffee](drink)
    - three [espresso]{"entity": "drink", "value": "coffee"}
- regex: voucher
  examples: |
    - V\d{5}
- lookup: branch
  examples: |
    - Hill Road
    - Old Mill
responses:
  utter_ask_size:
  - text: Which size?
    buttons: [{title: S, payload: '/inform{"size":"small"}'}, {title: L, payload: '/inform{"size":"large"}'}]
  utter_ask_who: [{text: "Who is it for?"}]
`
}

// A slot has the type that the bot says; a name makes none.
func TestTypes(t *testing.T) {
	b := read(t, slotsOf(`  category: {type: categorical, values: [new, used, __other__]}
  sure: {type: any, mappings: [{type: from_intent, intent: affirm, value: true}, {type: from_intent, intent: deny, value: no}]}
  other: {type: text, mappings: [{type: from_text}]}
  voucher: {type: text, mappings: [{type: from_entity, entity: voucher}]}
  branch: {type: text, mappings: [{type: from_entity, entity: branch}]}
  price: {type: any, mappings: [{type: from_entity, entity: amount-of-money}]}
  who: {type: any, mappings: [{type: from_entity, entity: PERSON}]}
  when: {type: any, mappings: [{type: from_entity, entity: time}]}
  drink: {type: any, mappings: [{type: from_entity, entity: drink}]}
  size: {type: text, mappings: [{type: from_text}]}
  weight: {type: float}
  contact_email: {type: text, mappings: [{type: from_text}]}
  arrival_date: {type: text, mappings: [{type: from_text}]}
  seats: {type: rasa.shared.core.slots.FloatSlot}
  window: {type: rasa.shared.core.slots.BooleanSlot}
  days: {type: list, mappings: [{type: from_entity, entity: DATE}]}
  vip: {type: bool, mappings: [{type: custom}]}`))
	for name, want := range map[string]string{
		"category": "category", "sure": "boolean", "other": "text", "voucher": "voucher", "branch": "branch", "price": "money",
		"who": "text", "when": "text", "drink": "text", "size": "text", "weight": "number", "contact_email": "text", "arrival_date": "text", "days": "date", "seats": "number", "window": "boolean",
	} {
		if got := param(t, b, name).Type; got != want {
			t.Errorf("%s has type %q, want %q", name, got, want)
		}
	}
	if !param(t, b, "days").List || !param(t, b, "branch").Keep || param(t, b, "category").Keep {
		t.Error("days is no list, a lookup table is closed, or categories are open")
	}
	values := map[string][]convert.Value{}
	for _, declared := range b.Types {
		values[declared.Name] = declared.Values
	}
	want := map[string][]convert.Value{
		"category": {{Value: "new"}, {Value: "used"}}, "branch": {{Value: "Hill Road"}, {Value: "Old Mill"}}, "voucher": nil,
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	for outcome, text := range map[convert.Outcome]string{convert.Lost: "buttons of utter_ask_size", convert.Decide: "when is what Duckling calls a time", convert.Carried: "the lookup table branch"} {
		if !reported(b, outcome, text) {
			t.Errorf("%q is not %s: %v", text, outcome, b.Report.Notes)
		}
	}
}

const yes = `type: any, mappings: [{type: from_intent, intent: affirm, value: true}, {type: from_intent, intent: deny, value: false}]`

// yesRules end a form by the value of a slot.
func yesRules(slot string) string {
	return `
rules:
- rule: order
  steps: [{intent: order}, {action: order_form}, {active_loop: order_form}]
- rule: yes
  condition: [{active_loop: order_form}]
  steps: [{action: order_form}, {active_loop: null}, {slot_was_set: [{` + slot + `: true}]}, {action: action_order}]
- rule: no
  condition: [{active_loop: order_form}]
  steps: [{action: order_form}, {active_loop: null}, {slot_was_set: [{` + slot + `: false}]}, {action: utter_ask_who}]
`
}

// A yes in a form is a value as others are, wherever it is asked.
func TestYesInForm(t *testing.T) {
	for _, slots := range []string{"  size: {type: text}\n  sure: {" + yes + "}", "  sure: {" + yes + "}\n  size: {type: text}", "  sure: {" + yes + "}"} {
		text := slotsOf(slots)
		before, after, _ := strings.Cut(text, "\nrules:")
		_, after, _ = strings.Cut(after, "\nnlu:")
		b := read(t, before+yesRules("sure")+"nlu:"+after+"  utter_ask_sure: [{text: Is that right}]\n")
		in := b.Intents[0]
		if !slices.Contains(in.Required, "sure") || in.Plan[0].When != "sure == true" || !b.Tools[0].Write || !in.Unconfirmed {
			t.Errorf("%s: the intent is %+v, its tool %+v", slots, in, b.Tools[0])
		}
	}
}

// Texts keep their places. A place that nothing fills is said.
func TestTexts(t *testing.T) {
	text := slotsOf("  price: {type: any, mappings: [{type: from_entity, entity: amount-of-money}]}") + `
  utter_paid: [{text: "Paid {price} in {currency} to {who_knows} [if so]"}]
`
	text = strings.Replace(text, "\nforms:", "\n  currency: {type: text, initial_value: Euro}\nforms:", 1)
	text = strings.Replace(text, "{action: action_order}", "{action: utter_paid}", 1)
	b := read(t, text)
	if got, want := b.Responses[0].Texts[0], `Paid {price} in Euro to (who_knows) \[if so]`; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if !reported(b, convert.Lost, "{who_knows} in a text") {
		t.Errorf("nothing says what is lost: %v", b.Report.Notes)
	}
}

// The older form of Rasa 2: a map of slots with their mappings.
func TestFormOfMappings(t *testing.T) {
	b := read(t, `
intents: [order]
slots: {size: {type: text}}
forms:
  order_form:
    size:
    - {type: from_entity, entity: size}
    - {type: from_text, intent: inform}
    email:
    - {type: from_text}
rules:
- rule: order
  steps: [{intent: order}, {action: order_form}, {active_loop: order_form}]
nlu:
- intent: order
  examples: |
    - order
    - an order of a [big](size) one
- intent: inform
  examples: |
    - a [small](size) one
`)
	in := b.Intents[0]
	if diff := cmp.Diff([]string{"size", "email"}, in.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	if len(in.Examples[1].Spans) != 1 || len(in.Answers) != 1 || in.Answers[0].Asked != "size" {
		t.Errorf("examples %+v, answers %+v", in.Examples, in.Answers)
	}
	if !reported(b, convert.Lost, "no rule or story says what follows the form order_form") {
		t.Error("nothing says that no rule follows the form")
	}
}

// Whatever is not carried over is in the report.
func TestNothingIsDropped(t *testing.T) {
	b := read(t, `
intents: [ask, joke, lonely]
entities: [thing]
actions: [action_unused, validate_some_form]
responses:
  utter_ask: [{text: "{unknown} is here"}, {text: "on Slack", channel: slack}, {text: "look", image: x.png}]
  utter_unsaid: [{text: nobody says this}]
rules:
- rule: ask
  steps: [{intent: ask}, {action: utter_ask}, {action: utter_missing}, {checkpoint: c}]
stories:
- story: other
  steps: [{intent: ask}, {action: action_other}]
- story: odd
  steps: [{bot: hello}, {colour: red}, {or: [{slot_was_set: [{a: b}]}, {intent: ask}]}]
nlu:
- intent: ask
  examples: |
    - ask about [it](thing)
    - broken [mark](thing
- intent: joke
  examples: |
    - tell a joke
- regex: nothing
  examples: |
    - a(
- curious: thing
`)
	var notes strings.Builder
	if err := b.Report.Print(&notes, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"{unknown} in a text", "the channel slack", "image of utter_ask", "utter_unsaid", "utter_missing", "leads to utter_ask, utter_missing, checkpoint", "action_other",
		"begins with bot, colour, or", "marks of thing", "marked badly", "no rule or story says what follows the intent joke",
		"the intent lonely has no examples", "the regex nothing", "none of intent, synonym", "action_unused", "validate_some_form", "bot.yml:",
	} {
		if !strings.Contains(notes.String(), want) {
			t.Errorf("the report does not mention %q:\n%s", want, notes.String())
		}
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := rasa.Read(); err == nil {
		t.Error("no path is no error")
	}
	if _, err := rasa.Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder is no error")
	}
	if _, err := rasa.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no part of a Rasa bot") {
		t.Errorf("an empty folder: %v", err)
	}
}

// FuzzRead reads hostile files: no panic, and what is made can be written.
func FuzzRead(f *testing.F) {
	err := filepath.WalkDir("testdata", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			f.Add(data)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(slotsOf("  size: {type: text}")))
	f.Add([]byte("flows:\n  a:\n    steps:\n    - id: x\n      collect: b\n      next: x\n  b: {steps: [{link: a}, {link: b}]}\n"))
	f.Add([]byte("nlu:\n- intent: a\n  examples: |\n    - [x]{\"entity\": \"b\"}\nrules: [{steps: [{intent: a}, {action: utter_a}]}]\nresponses: {utter_a: [{text: '{[if x: y]}'}]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "bot.yml")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		bot, err := rasa.Read(file)
		if err != nil {
			return
		}
		out := filepath.Join(dir, "agent")
		if err := bot.Write(out); err != nil {
			return // a text that cannot be written is an error
		}
		if _, err := config.Load(filepath.Join(out, convert.AgentFile)); err != nil {
			t.Errorf("%s\n%v", data, err)
		}
	})
}
