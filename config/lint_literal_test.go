package config

import (
	"maps"
	"strings"
	"testing"
)

// A warning names the line and the remedy of a text that a tool would get literally, and none that is filled in.
func TestLiteralNamesAreTold(t *testing.T) {
	const agent = `
agent: {id: notes, description: Takes notes}
params: {member: {type: text, shape: code, prompt: "Which member?"}}
intents:
  - id: note
    examples: [write a note, note something, make a note]
    params: {required: [member]}
    plan:
      - call: find
        with: {member: $member}
        save: found
      - set: {greeting: SET}
      - confirm: "Note it for {member}?"
      - call: post
        with: {text: WITH, member: $member, greeting: $greeting, name: $found.name}
      - call: mail
        with: {text: $member}
      - respond: done
tools:
  find: {kind: sql, database: shop, effect: read, one: true, query: QUERY}
  post: {kind: http, effect: write, url: "URL", headers: {X-Member: HEADER}, params: {q: PARAM}, body: {note: [BODY]}}
  mail: {kind: exec, effect: write, command: [mail, COMMAND], env: {WHO: ENV}}
databases: {shop: {driver: sqlite, dsn: "${DATA}/shop.db"}}
responses: {done: Done.}
`
	fine := map[string]string{
		"SET": "$member", "WITH": "$member", "QUERY": `"SELECT name FROM people WHERE id = :member"`, "URL": "https://example.com/{member}",
		"HEADER": `"Bearer ${TOKEN}"`, "PARAM": "$member", "BODY": "$member", "COMMAND": `"{text}"`, "ENV": `"${HOME}"`,
	}
	wrong := map[string][]string{
		"SET": {`"Dear {member}"`, `"Dear $member"`}, "WITH": {`"of {member}"`, `"of {found.name}"`, `"by $member"`},
		"QUERY": {`"SELECT name FROM people WHERE id = :member AND name = '{member}'"`, `"SELECT name FROM people WHERE id = :member OR id = $member"`},
		"URL":   {"https://example.com/$member"}, "HEADER": {`"{member}"`, `"$member"`}, "PARAM": {`"{member}"`}, "BODY": {`"for {member}"`, `"for $member"`},
		"COMMAND": {`"$text"`}, "ENV": {`"{text}"`, `"$text"`},
	}
	examine := func(with map[string]string) (told []string) {
		text := agent
		for name, value := range with {
			text = strings.ReplaceAll(text, name, value)
		}
		_, problems := parseAgent("notes.yaml", []byte(text), "")
		for _, p := range problems {
			told = append(told, p.String())
		}
		return told
	}
	if told := examine(fine); len(told) > 0 {
		t.Errorf("what is filled in: %q", told)
	}
	for name, values := range wrong {
		for _, value := range values {
			with := map[string]string{}
			maps.Copy(with, fine)
			with[name] = value
			if told := examine(with); len(told) != 1 || !strings.Contains(told[0], "used as it is written") {
				t.Errorf("%s %s: %q", name, value, told)
			}
		}
	}
}
