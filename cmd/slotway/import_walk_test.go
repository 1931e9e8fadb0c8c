package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/converttest"
	"github.com/slotway/slotway/router/replay"
)

// A tale is what a bot does after a message: it asks for texts, calls something, says something, and goes on by a
// yes and a no to its last words, or by the value that it asked for last.
type tale struct {
	number  int
	first   string   // said before it asks; "": nothing
	slots   []string // texts that it asks for
	choice  bool     // it asks for gold or silver, too, and goes on by it
	calls   string   // an action; "": none
	says    []string
	yes, no *tale // or gold and silver
}

// answered are texts that tales ask for, each at most once, with their answers.
var answered = [][2]string{{"colour", "teal"}, {"fabric", "linen"}, {"dish", "lentil soup"}, {"tool", "a long rake"}}

// teller draws tales.
type teller struct {
	t                *rapid.T
	tales, asked     int
	choices, nesting bool // a format has choices, and questions within questions
	opens            bool // it says something before it asks
	last             bool // it calls only at the end, if nobody said no
	action           string
}

func (r *teller) tale(depth int) *tale {
	r.tales++
	a := &tale{number: r.tales, says: []string{fmt.Sprintf("Told %d.", r.tales)}}
	if rapid.Bool().Draw(r.t, "calls") {
		a.calls = strings.ReplaceAll(r.action, "N", fmt.Sprint(a.number))
	}
	if rapid.Bool().Draw(r.t, "twice") {
		a.says = append(a.says, fmt.Sprintf("More %d.", r.tales))
	}
	for range rapid.IntRange(0, 2).Draw(r.t, "slots") {
		if r.asked < len(answered) && (depth == 0 || r.nesting) {
			a.slots = append(a.slots, answered[r.asked][0])
			r.asked++
		}
	}
	if r.opens && len(a.slots) > 0 && rapid.Bool().Draw(r.t, "opens") {
		a.first = fmt.Sprintf("First %d.", a.number)
	}
	most := 1
	if r.nesting {
		most = 2
	}
	switch way := rapid.IntRange(0, 2).Draw(r.t, "way"); {
	case depth == most || way == 0:
		return a
	case way == 1:
		a.says[len(a.says)-1] = fmt.Sprintf("Shall I go on with %d?", a.number)
	case !r.choices:
		return a
	default:
		a.choice, a.calls, a.says = true, "", nil
	}
	a.yes, a.no = r.tale(depth+1), r.tale(depth+1)
	if r.last {
		a.calls, a.no.calls = "", ""
	}
	return a
}

// path is one way through a tale: what is said, and what is heard and called then.
type path []*heard

type heard struct {
	says  string
	hears []string
	calls []string
}

// paths returns the ways through a tale that a message begins.
func (a *tale) paths(before path) []path {
	way := make(path, len(before))
	for i, h := range before {
		copied := *h
		way[i] = &copied
	}
	hear := func(text string) { way[len(way)-1].hears = append(way[len(way)-1].hears, text) }
	if a.first != "" {
		hear(a.first)
	}
	for _, slot := range answered {
		for _, name := range a.slots {
			if name == slot[0] {
				hear("Which " + name + "?")
				way = append(way, &heard{says: slot[1]})
			}
		}
	}
	if a.choice {
		hear(fmt.Sprintf("Gold or silver for %d?", a.number))
		return append(a.yes.paths(append(way, &heard{says: "gold"})), a.no.paths(append(way, &heard{says: "silver"}))...)
	}
	if a.calls != "" {
		way[len(way)-1].calls = append(way[len(way)-1].calls, a.calls)
	}
	for _, text := range a.says {
		hear(text)
	}
	if a.yes == nil {
		return []path{way}
	}
	return append(a.yes.paths(append(way, &heard{says: "yes"})), a.no.paths(append(way, &heard{says: "no"}))...)
}

// sentences begin the tale of each bot, and something else that it can do.
var (
	sentences = []string{"plan the party", "I want to plan a party", "a party please", "help me to plan my party"}
	asides    = []string{"when do you open", "what are the opening hours", "are you open on Sundays"}
)

type (
	object = map[string]any
	list   = []any
)

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps, lists and texts
	}
	return string(text)
}

// rasaBot writes a tale as rules, stories and forms. Its domain has the forms before their slots.
func rasaBot(a *tale) map[string]string {
	slots, forms, responses, stories := object{}, object{}, object{"utter_open": list{object{"text": "From nine to five."}}}, list{}
	nlu := list{
		object{"intent": "party", "examples": lines(sentences)},
		object{"intent": "opening", "examples": lines(asides)},
		object{"intent": "affirm", "examples": lines([]string{"yes", "sure"})},
		object{"intent": "deny", "examples": lines([]string{"no", "nope"})},
	}
	var walk func(a *tale, steps list)
	walk = func(a *tale, steps list) {
		steps = append(list{}, steps...)
		form := append([]string{}, a.slots...)
		for _, name := range a.slots {
			slots[name] = object{"type": "text", "mappings": list{object{"type": "from_text"}}}
			responses["utter_ask_"+name] = list{object{"text": "Which " + name + "?"}}
		}
		if a.first != "" {
			name := fmt.Sprintf("utter_first_%d", a.number)
			responses[name] = list{object{"text": a.first}}
			steps = append(steps, object{"action": name})
		}
		tier := fmt.Sprintf("tier_%d", a.number)
		if a.choice {
			form = append(form, tier)
			slots[tier] = object{"type": "categorical", "values": list{"gold", "silver"}, "mappings": list{object{"type": "from_entity", "entity": tier}}}
			responses["utter_ask_"+tier] = list{object{"text": fmt.Sprintf("Gold or silver for %d?", a.number)}}
		}
		if len(form) > 0 {
			name := fmt.Sprintf("form_%d", a.number)
			forms[name] = object{"required_slots": form}
			steps = append(steps, object{"action": name}, object{"active_loop": name}, object{"active_loop": nil})
		}
		if a.choice {
			walk(a.yes, append(steps, object{"slot_was_set": list{object{tier: "gold"}}}))
			walk(a.no, append(steps, object{"slot_was_set": list{object{tier: "silver"}}}))
			return
		}
		if a.calls != "" {
			steps = append(steps, object{"action": "action_" + a.calls})
		}
		for i, text := range a.says {
			name := fmt.Sprintf("utter_%d_%d", a.number, i)
			responses[name] = list{object{"text": text}}
			steps = append(steps, object{"action": name})
		}
		if a.yes != nil {
			walk(a.yes, append(steps, object{"intent": "affirm"}))
			walk(a.no, append(steps, object{"intent": "deny"}))
			return
		}
		stories = append(stories, object{"story": fmt.Sprintf("story %d", len(stories)), "steps": steps})
	}
	walk(a, list{object{"intent": "party"}})
	return map[string]string{
		"domain.yml":      asJSON(object{"intents": list{"party", "opening", "affirm", "deny"}, "slots": slots, "forms": forms, "responses": responses}),
		"data/nlu.yml":    asJSON(object{"nlu": nlu}),
		"data/rules.yml":  asJSON(object{"rules": list{object{"rule": "open", "steps": list{object{"intent": "opening"}, object{"action": "utter_open"}}}}}),
		"data/storys.yml": asJSON(object{"stories": stories}),
	}
}

func lines(texts []string) string { return "- " + strings.Join(texts, "\n- ") + "\n" }

// calmBot writes a tale as a flow.
func calmBot(a *tale) map[string]string {
	slots, responses := object{}, object{}
	var steps func(a *tale) list
	steps = func(a *tale) (out list) {
		collect := func(name, kind, asks string) object {
			slots[name] = object{"type": kind, "mappings": list{object{"type": "from_llm"}}}
			responses["utter_ask_"+name] = list{object{"text": asks}}
			return object{"collect": name}
		}
		branch := func(step object, condition string) list {
			end := func(a *tale) list { return append(steps(a), object{"noop": true, "next": "END"}) }
			step["next"] = list{object{"if": condition, "then": end(a.yes)}, object{"else": end(a.no)}}
			return append(out, step)
		}
		if a.first != "" {
			name := fmt.Sprintf("utter_first_%d", a.number)
			responses[name] = list{object{"text": a.first}}
			out = append(out, object{"action": name})
		}
		for _, name := range a.slots {
			out = append(out, collect(name, "text", "Which "+name+"?"))
		}
		if a.choice {
			name := fmt.Sprintf("tier_%d", a.number)
			step := collect(name, "categorical", fmt.Sprintf("Gold or silver for %d?", a.number))
			slots[name].(object)["values"] = list{"gold", "silver"}
			return branch(step, "slots."+name+" is 'gold'")
		}
		if a.calls != "" {
			out = append(out, object{"action": "action_" + a.calls})
		}
		for i, text := range a.says {
			if a.yes != nil && i == len(a.says)-1 {
				name := fmt.Sprintf("sure_%d", a.number)
				return branch(collect(name, "bool", text), "slots."+name)
			}
			name := fmt.Sprintf("utter_%d_%d", a.number, i)
			responses[name] = list{object{"text": text}}
			out = append(out, object{"action": name})
		}
		return out
	}
	flows := object{"party": object{"description": sentences[1], "nlu_trigger": list{object{"intent": "party"}}, "steps": steps(a)}}
	return map[string]string{
		"domain.yml":     asJSON(object{"intents": list{"party"}, "slots": slots, "responses": responses}),
		"data/nlu.yml":   asJSON(object{"nlu": list{object{"intent": "party", "examples": lines(sentences)}}}),
		"data/flows.yml": asJSON(object{"flows": flows}),
	}
}

// esBot writes a tale as an intent of Dialogflow ES with what follows it.
func esBot(a *tale) map[string]string {
	files := map[string]string{"agent.json": `{"displayName": "Party", "language": "en"}`}
	intent := func(id, parent string, a *tale, said []string) {
		var params, phrases list
		for _, name := range a.slots {
			params = append(params, object{"name": name, "dataType": "@sys.any", "required": true, "value": "$" + name, "prompts": list{object{"lang": "en", "value": "Which " + name + "?"}}})
		}
		for _, text := range said {
			phrases = append(phrases, object{"data": list{object{"text": text}}})
		}
		does := object{"action": a.calls, "parameters": params, "messages": list{object{"type": "0", "lang": "en", "speech": list{strings.Join(a.says, " ")}}}}
		files["intents/"+id+".json"] = asJSON(object{"id": id, "parentId": parent, "name": id, "webhookUsed": a.calls != "", "responses": list{does}})
		files["intents/"+id+"_usersays_en.json"] = asJSON(phrases)
	}
	intent("party", "", a, sentences)
	if a.yes != nil {
		intent("party - yes", "party", a.yes, []string{"yes", "sure"})
		intent("party - no", "party", a.no, []string{"no", "nope"})
	}
	return files
}

// cxBot writes a tale as a route of Dialogflow CX with the pages behind it.
func cxBot(a *tale) map[string]string {
	const flow = "flows/Default Start Flow/"
	files := map[string]string{"agent.json": `{"displayName": "Party", "defaultLanguageCode": "en"}`}
	messages := func(text string) object { return object{"messages": list{object{"text": object{"text": list{text}}}}} }
	page := func(name string, value object) {
		value["displayName"] = name
		files[flow+"pages/"+name+".json"] = asJSON(value)
	}
	var route, does func(a *tale) object
	route = func(a *tale) object {
		form, ways := list{}, list{}
		ask := func(name, kind, text string) {
			form = append(form, object{"displayName": name, "entityType": kind, "required": true, "fillBehavior": object{"initialPromptFulfillment": messages(text)}})
		}
		for _, name := range a.slots {
			ask(name, "@sys.any", "Which "+name+"?")
		}
		if a.choice {
			name := fmt.Sprintf("tier_%d", a.number)
			ask(name, "@tier", fmt.Sprintf("Gold or silver for %d?", a.number))
			for value, way := range map[string]*tale{"gold": a.yes, "silver": a.no} {
				on := route(way)
				on["condition"] = fmt.Sprintf("$session.params.%s = %q", name, value)
				ways = append(ways, on)
			}
		} else {
			on := does(a)
			on["condition"] = `$page.params.status = "FINAL"`
			ways = append(ways, on)
		}
		if len(form) == 0 {
			return does(a)
		}
		name := fmt.Sprintf("Form %d", a.number)
		page(name, object{"form": object{"parameters": form}, "transitionRoutes": ways})
		on := object{"targetPage": name}
		if a.first != "" {
			on["triggerFulfillment"] = messages(a.first)
		}
		return on
	}
	does = func(a *tale) object {
		says, on := a.says, object{"targetPage": "END_SESSION"}
		if a.yes != nil {
			name := fmt.Sprintf("Sure %d", a.number)
			yes, no := route(a.yes), route(a.no)
			yes["intent"], no["intent"] = "answer.yes", "answer.no"
			page(name, object{"entryFulfillment": messages(says[len(says)-1]), "transitionRoutes": list{yes, no}})
			says, on = says[:len(says)-1], object{"targetPage": name}
		}
		act := object{}
		if len(says) > 0 {
			act = messages(strings.Join(says, " "))
		}
		if a.calls != "" {
			act["webhook"], act["tag"] = "hook", a.calls
		}
		on["triggerFulfillment"] = act
		return on
	}
	start := route(a)
	start["intent"] = "party"
	files[flow+"Default Start Flow.json"] = asJSON(object{"displayName": "Default Start Flow", "transitionRoutes": list{start}})
	files["entityTypes/tier/tier.json"] = asJSON(object{"displayName": "tier", "kind": "KIND_MAP"})
	files["entityTypes/tier/entities/en.json"] = asJSON(object{"entities": list{object{"value": "gold", "synonyms": list{"gold"}}, object{"value": "silver", "synonyms": list{"silver"}}}})
	for name, said := range map[string][]string{"party": sentences, "answer.yes": {"yes"}, "answer.no": {"no"}} {
		phrases := list{}
		for _, text := range said {
			phrases = append(phrases, object{"parts": list{object{"text": text}}, "languageCode": "en"})
		}
		files["intents/"+name+"/"+name+".json"] = asJSON(object{"displayName": name})
		files["intents/"+name+"/trainingPhrases/en.json"] = asJSON(object{"trainingPhrases": phrases})
	}
	return files
}

// lexBot writes a tale as an intent of Lex: its yes is what the function does behind the confirmation.
func lexBot(a *tale) map[string]string {
	const folder = "BotLocales/en_US/Intents/Party/"
	messages := func(texts ...string) object {
		groups := list{}
		for _, text := range texts {
			groups = append(groups, object{"message": object{"plainTextMessage": object{"value": text}}})
		}
		return object{"messageGroupsList": groups}
	}
	files := map[string]string{"Bot.json": `{"name": "Party"}`, "BotLocales/en_US/BotLocale.json": `{"name": "English"}`}
	intent, order, said := object{"name": "Party"}, list{}, list{}
	for i, name := range a.slots {
		order = append(order, object{"priority": i + 1, "slotName": name})
		files[folder+"Slots/"+name+"/Slot.json"] = asJSON(object{"name": name, "slotTypeName": "AMAZON.FreeFormInput", "valueElicitationSetting": object{
			"slotConstraint": "Required", "promptSpecification": messages("Which " + name + "?"),
		}})
	}
	for _, text := range sentences {
		said = append(said, object{"utterance": text})
	}
	if a.first != "" {
		intent["initialResponseSetting"] = object{"initialResponse": messages(a.first)}
	}
	end := a
	if a.yes != nil {
		intent["intentConfirmationSetting"] = object{"promptSpecification": messages(a.says...), "declinationResponse": messages(a.no.says...)}
		end = a.yes
	}
	intent["slotPriorities"], intent["sampleUtterances"] = order, said
	intent["fulfillmentCodeHook"] = object{"enabled": end.calls != ""}
	intent["intentClosingSetting"] = object{"closingResponse": messages(end.says...)}
	files[folder+"Intent.json"] = asJSON(intent)
	return files
}

// TestImportedTales draws tales, writes them as bots, imports these and goes each way through them: what the bot asks,
// says and calls there the agent asks, says and calls, and nothing is lost.
func TestImportedTales(t *testing.T) {
	for name, format := range map[string]struct {
		command string
		bot     func(*tale) map[string]string
		tells   teller
	}{
		"stories": {"rasa", rasaBot, teller{choices: true, nesting: true, opens: true, action: "act_N"}},
		"flows":   {"rasa", calmBot, teller{choices: true, nesting: true, opens: true, action: "act_N"}},
		"es":      {"dialogflow", esBot, teller{action: "act_N"}},
		"cx":      {"dialogflow", cxBot, teller{choices: true, nesting: true, opens: true, action: "act_N"}},
		"lex":     {"lex", lexBot, teller{opens: true, last: true, action: "fulfill_party"}},
	} {
		t.Run(name, func(t *testing.T) {
			draw := rapid.Custom(func(r *rapid.T) *tale {
				tells := format.tells
				tells.t = r
				return tells.tale(0)
			})
			for seed := range 25 {
				told := draw.Example(seed)
				bot, out := converttest.Write(t, format.bot(told)), filepath.Join(t.TempDir(), "out")
				report, code := runCommand(t, "import", format.command, bot, "--output", out, "--verbose")
				if code != exitOK {
					t.Fatalf("import: exit code %d\n%s", code, report)
				}
				var tests strings.Builder
				ways := told.paths(path{{says: sentences[0]}})
				for i, way := range ways {
					turns := list{}
					for _, h := range way {
						turns = append(turns, object{"user": h.says, "expect": object{"reply_contains": h.hears, "calls": append([]string{}, h.calls...)}})
					}
					fmt.Fprintf(&tests, "%s\n---\n", asJSON(object{"conversation": fmt.Sprint("way ", i), "agent": "agent.yaml", "turns": turns}))
				}
				file := filepath.Join(out, "ways.yaml")
				writeTestFile(t, file, strings.TrimSuffix(tests.String(), "---\n"))
				result, _ := runCommand(t, "test", file, "--json")
				var played struct{ Conversations []replay.Result }
				if err := json.Unmarshal([]byte(result[max(strings.Index(result, "{"), 0):]), &played); err != nil || len(played.Conversations) != len(ways) {
					t.Fatalf("test: %d of %d conversations, %v\n%s", len(played.Conversations), len(ways), err, result)
				}
				if strings.Contains(report, "lost: users notice it") { // there is nothing in them that cannot be carried over
					t.Fatalf("%s\n%s", report, asJSON(format.bot(told)))
				}
				for _, c := range played.Conversations {
					if len(c.Failures) > 0 {
						t.Fatalf("%v\n%s\n%s\n%s", c.Failures, tests.String(), report, asJSON(format.bot(told)))
					}
				}
			}
		})
	}
}
