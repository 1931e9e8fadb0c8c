package settings

import (
	"strings"
	"testing"
)

// The loader refuses a channel that lacks a setting or contradicts another one, and names both.
func TestChannelsAreWhole(t *testing.T) {
	for _, c := range []struct {
		name string
		set  map[string]string
		want []string // parts of the error; none: it is right
	}{
		{"none", nil, nil},
		{"whole", map[string]string{"channels.slack.token_env": "A", "channels.slack.signing_secret_env": "B"}, nil},
		{"half", map[string]string{"channels.slack.token_env": "A"}, []string{"channels.slack.token_env: needs channels.slack.signing_secret_env beside it"}},
		{"an address alone", map[string]string{"channels.telegram.api_url": "https://t.example"}, []string{"needs channels.telegram.token_env", "needs channels.telegram.secret_env"}},
		{"numbers", map[string]string{"channels.twilio.from": "0150"}, []string{"it is no number"}},
		{"a secret in place of its name", map[string]string{"channels.slack.token_env": "xoxb-1"}, []string{"it is no name of an environment variable"}},
		{"without memory", map[string]string{"channels.webhook.url": "https://h.example", "channels.webhook.secret_env": "A", "memory.enabled": "false"}, []string{"needs memory.enabled"}},
		{"in the clear", map[string]string{"channels.slack.api_url": "http://slack.example"}, []string{"it is not encrypted"}},
	} {
		_, err := Load("", []string{"HOME=/tmp"}, c.set)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not say %q", c.name, err, want)
			}
		}
		if err != nil && strings.Contains(err.Error(), "xoxb-1") {
			t.Errorf("%s: it tells a secret", c.name)
		}
	}
}
