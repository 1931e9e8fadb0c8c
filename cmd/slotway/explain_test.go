package main

import (
	"strings"
	"testing"
)

// Every key that a text names exists.
func TestReferenceLinks(t *testing.T) {
	l := referenceLibrary()
	for _, a := range l.Areas {
		for _, e := range a.Entries {
			for _, key := range e.See {
				if l.Entry(key) == nil && l.Area(key) == nil {
					t.Errorf("%s names %s, which does not exist", e.Key, key)
				}
			}
		}
	}
}

func TestExplain(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"intents", "The agent's file"}},
		{[]string{"intents.plan.call"}, []string{"intents.plan.call\n", "Tool to call.", "save: order"}},
		{[]string{"params.validation"}, []string{"Tests that a value must pass", "\nKeys\n", "  expr"}},
		{[]string{"params.order_id.validation"}, []string{"params.validation\n"}},
		{[]string{"intents[0].plan[2].then[1].call"}, []string{"intents.plan.call\n"}},
		{[]string{"telemetry.level"}, []string{"settings.telemetry.level\n"}},
		{[]string{"stages.tool_call"}, []string{"A call has ended.", "error_code"}},
		{[]string{"types.date"}, []string{"Days, relative", "2026-11-19"}},
		{[]string{"types"}, []string{"What values look like", "Built-in types", "recurrence"}},
		{[]string{"memory.ttl"}, []string{"settings.memory.ttl\n", "SLOTWAY_MEMORY_TTL"}},
		{[]string{"replay.turns.expect.asked"}, []string{"Param that the reply asks for"}},
		{[]string{"errors.timeout"}, []string{"No answer within"}},
		{[]string{"expressions"}, []string{"What may stand in a condition", "startsWith"}},
		{[]string{"one_of"}, []string{"intents.params.one_of\n"}},
		{[]string{"intents.max_retries"}, []string{"intents.max_retries\n", "How often the agent asks again", "policy.max_retries"}},
		{[]string{"--recursive", "params.validation"}, []string{"params.validation.tool", "params.validation.invalid"}},
		{[]string{"--json", "policy.digression"}, []string{`"value":"resume"`, `"default":"resume"`}},
	} {
		out, code := runCommand(t, append([]string{"explain"}, c.args...)...)
		for _, want := range c.want {
			if !strings.Contains(out, want) || code != exitOK {
				t.Errorf("explain %v: exit code %d, %q is not in:\n%s", c.args, code, want, out)
			}
		}
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 && c.want[0] != `"value":"resume"` && !strings.Contains(line, ": ") {
				t.Errorf("explain %v: a line of %d columns: %s", c.args, n, line)
			}
		}
	}
}

// A wrong key leads to the nearest ones, and the end of several keys to all of them.
func TestExplainWrongKey(t *testing.T) {
	for query, wants := range map[string][]string{
		"intents.plan.cal":   {`did you mean`, "intents.plan.call"},
		"on_exhaused":        {"policy.on_exhausted"},
		"turns_and_feathers": {"there is no key", "--recursive"},
		"description":        {`may be`, "agent.description", "tools.description", "write the whole key"},
	} {
		stderr, code := runCommand(t, "explain", query)
		for _, want := range wants {
			if !strings.Contains(stderr, want) || code != exitUsage {
				t.Errorf("explain %s: exit code %d, %q is not in %q", query, code, want, stderr)
			}
		}
	}
}

// config init writes a file that changes nothing, once.
func TestConfigInit(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	out, code := runCommand(t, "config", "init")
	if code != exitOK || !strings.Contains(out, "slotway.yaml has every setting") {
		t.Fatalf("exit code %d: %s", code, out)
	}
	if out, code := runCommand(t, "config", "show"); code != exitOK || strings.Contains(out, "slotway.yaml:") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := runCommand(t, "config", "init"); code != exitCheck || !strings.Contains(out, "is there already") {
		t.Errorf("a second time: exit code %d: %s", code, out)
	}
	if out, code := runCommand(t, "config", "init", "other.yaml"); code != exitOK {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestConfigShowDoc(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("COLUMNS", "60")
	out, code := runCommand(t, "--set", "memory.ttl=2h", "config", "show", "--doc")
	if code != exitOK || !strings.Contains(out, "memory.ttl: 2h (flag)\n    Silence after which a session starts over.") {
		t.Errorf("exit code %d: %s", code, out)
	}
}
