package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/replay/coverage"
)

// deskAgent is a small agent whose write goes to a server that is not there.
const deskAgent = `version: 1
agent: {id: desk}
types:
  ticket_id: {patterns: ['\b(T-\d{3})\b']}
params:
  ticket: {type: ticket_id, prompt: "Which ticket?"}
intents:
  - id: close_ticket
    examples: [close my ticket, "close [T-123](ticket)", please close a ticket, "i want to close ticket [T-456](ticket)"]
    params: {required: [ticket]}
    plan:
      - call: find
        with: {id: $ticket}
        save: found
        on_error:
          not_found: {respond: unknown, end: true}
      - when: found.open == false
        then:
          - respond: closed_before
          - end: true
      - confirm: "Close {ticket}?"
        denied: kept
      - call: close
        with: {id: $ticket}
        save: done
      - respond: closed
  - id: hours
    examples: [when are you open, opening hours please, what are your hours]
    answer_only: true
    plan: [{respond: hours}]
tools:
  find: {kind: static, effect: read, result: {open: true}}
  close: {kind: http, effect: write, method: POST, url: "http://127.0.0.1:9/close"}
responses:
  closed: "{ticket} is closed since {done.at}."
  closed_before: "{ticket} was closed before."
  unknown: "There is no {ticket}."
  kept: It stays open.
  hours: From nine to five.
`

const deskTests = `conversation: a ticket is closed
agent: ../agent.yaml
turns:
  - user: close my ticket
    expect: {asked: ticket}
  - user: T-123
    expect: {confirming: close}
  - user: "yes"
    expect: {reply_contains: is closed}
`

// deskFolder makes a folder with the agent and its tests, and goes there.
func deskFolder(t *testing.T) (tests string) {
	t.Helper()
	dir := t.TempDir()
	tests = filepath.Join(dir, "tests", "close.yaml")
	if err := os.Mkdir(filepath.Dir(tests), 0o700); err != nil {
		t.Fatal(err)
	}
	writeTestFile(t, filepath.Join(dir, "agent.yaml"), deskAgent)
	writeTestFile(t, tests, deskTests)
	t.Chdir(dir)
	return tests
}

// `slotway test` finds the tests, refuses the write that has no script, and passes with the lines that
// it shows.
func TestTestCommand(t *testing.T) {
	tests := deskFolder(t)
	out, code := runCommand(t, "test")
	lines := "tools:\n  close:\n    - result: {at: \"...\"}\n"
	if code != exitCheck || !strings.Contains(out, filepath.Join("tests", "close.yaml")+`:8: conversation "a ticket is closed", turn 3: the tool close (http) sends a request`) || !strings.Contains(out, lines) {
		t.Errorf("exit %d:\n%s", code, out)
	}
	writeTestFile(t, tests, strings.Replace(deskTests, "turns:", lines+"turns:", 1))
	if out, code := runCommand(t, "test"); code != exitOK || !strings.Contains(out, "1 passed, 0 failed") {
		t.Errorf("with the lines: exit %d:\n%s", code, out)
	}
	writeTestFile(t, tests, deskTests)
	if out, code := runCommand(t, "test", "--live", tests); code != exitCheck || strings.Contains(out, "--live") || !strings.Contains(out, "called for real: close") {
		t.Errorf("live, without a server: exit %d:\n%s", code, out)
	}
	t.Chdir(t.TempDir())
	if out, code := runCommand(t, "test"); code != exitCheck || !strings.Contains(out, "no conversation found in .") {
		t.Errorf("an empty folder: exit %d:\n%s", code, out)
	}
}

// deskScripted is the test of the desk with the answer of its write.
var deskScripted = strings.Replace(deskTests, "turns:", "tools: {close: [{result: {at: noon}}]}\nturns:", 1)

// `slotway test --coverage` tells what no conversation reaches, by what the turns passed.
func TestTestCoverage(t *testing.T) {
	tests := deskFolder(t)
	writeTestFile(t, tests, deskScripted)
	out, code := runCommand(t, "test", "--coverage", "--coverage-html", "page.html")
	const want = `coverage of agent desk
      intents    1 of 2   50 %
       params    2 of 2  100 %
        steps    4 of 7   57 %
     branches    2 of 5   40 %
    responses    1 of 5   20 %
          all  10 of 21   47 %
no conversation reaches these intents:
  agent.yaml:27: hours
no conversation reaches these steps:
  agent.yaml:19: close_ticket: respond closed_before
  agent.yaml:20: close_ticket: end
  agent.yaml:30: hours: respond hours
no conversation reaches these branches:
  agent.yaml:12: close_ticket: call find, on error not_found
  agent.yaml:17: close_ticket: when, if found.open == false
  agent.yaml:21: close_ticket: confirm, denied
no conversation reaches these responses:
  agent.yaml:36: closed_before
  agent.yaml:37: unknown
  agent.yaml:38: kept
  agent.yaml:39: hours
1 passed, 0 failed
`
	if code != exitOK || out != want {
		t.Errorf("exit %d (-want +got):\n%s", code, cmp.Diff(want, out))
	}
	page, err := os.ReadFile("page.html")
	if err != nil || !strings.Contains(string(page), "Measured with 1 conversation.") || !strings.Contains(string(page), `missed"`) {
		t.Errorf("the page: %v\n%s", err, page)
	}
	denied := strings.NewReplacer("a ticket is closed", "no", `"yes"`, `"no"`, "is closed", "stays open").Replace(deskScripted)
	hours := "conversation: hours\nagent: ../agent.yaml\nturns: [{user: what are your hours}]\n"
	writeTestFile(t, tests, strings.Join([]string{deskScripted, denied, hours}, "---\n"))
	out, code = runCommand(t, "test", "--json", "--coverage")
	var got struct {
		Passed   int
		Coverage []coverage.Report
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || got.Passed != 3 || len(got.Coverage) != 1 {
		t.Fatalf("exit %d, %v:\n%s", code, err, out)
	}
	var missed []string
	for _, i := range got.Coverage[0].Missed() {
		missed = append(missed, i.Name)
	}
	left := []string{
		"close_ticket: respond closed_before", "close_ticket: end", "close_ticket: call find, on error not_found",
		"close_ticket: when, if found.open == false", "closed_before", "unknown",
	}
	if diff := cmp.Diff(left, missed); diff != "" {
		t.Errorf("missed (-want +got):\n%s", diff)
	}
	if out, code := runCommand(t, "test", "--coverage-min", "90"); code != exitCheck || !strings.Contains(out, "coverage of agent desk is 71.4 %, below the 90 %") {
		t.Errorf("at least 90 %%: exit %d\n%s", code, out)
	}
	if out, code := runCommand(t, "test", "--coverage-min", "70"); code != exitOK {
		t.Errorf("at least 70 %%: exit %d\n%s", code, out)
	}
}
