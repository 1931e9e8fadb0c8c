package config

import "testing"

func TestDefaultAgentIsClean(t *testing.T) {
	problems := CheckSource("intents.yaml", DefaultSource(), "")
	if len(problems) > 0 {
		t.Fatalf("the default agent has problems:\n%v", problems)
	}
}
