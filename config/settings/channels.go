package settings

import (
	"fmt"
	"strings"
	"time"
)

// Channels are the messaging platforms on which people can reach the agent. A channel without settings
// is off.
type Channels struct {
	Settle   time.Duration // time that a message waits for earlier ones that it has overtaken
	Slack    Slack
	Telegram Telegram
	Twilio   Twilio
	Webhook  Webhook
	Handoff  Webhook // gets the events of hand-overs
}

// Slack names a Slack app.
type Slack struct {
	TokenEnv         string // name of the variable with the bot's token
	SigningSecretEnv string // name of the variable with the signing secret
	APIURL           string // "": Slack's own
}

// Telegram names a bot.
type Telegram struct {
	TokenEnv  string // name of the variable with the bot's token
	SecretEnv string // name of the variable with the secret token of its webhook
	APIURL    string // of another Bot API server; "": Telegram's own
}

// Twilio names an account and its numbers.
type Twilio struct {
	AccountSID string
	TokenEnv   string   // name of the variable with the auth token
	From       []string // numbers of the agent; WhatsApp numbers begin with "whatsapp:"
	URL        string   // of this service, as Twilio's console has it
	APIURL     string   // "": Twilio's own
}

// Webhook is an address that gets signed events.
type Webhook struct {
	URL       string
	SecretEnv string // name of the variable with the secret
}

func (c *Channels) rows() []row {
	slack, telegram, twilio, webhook, handoff := &c.Slack, &c.Telegram, &c.Twilio, &c.Webhook, &c.Handoff
	return []row{
		{path: "channels.settle", field: &c.Settle},
		{path: "channels.slack.token_env", field: &slack.TokenEnv, check: checkEnvName},
		{path: "channels.slack.signing_secret_env", field: &slack.SigningSecretEnv, check: checkEnvName},
		{path: "channels.slack.api_url", field: &slack.APIURL, check: checkKeyURL},
		{path: "channels.telegram.token_env", field: &telegram.TokenEnv, check: checkEnvName},
		{path: "channels.telegram.secret_env", field: &telegram.SecretEnv, check: checkEnvName},
		{path: "channels.telegram.api_url", field: &telegram.APIURL, check: checkKeyURL},
		{path: "channels.twilio.account_sid", field: &twilio.AccountSID},
		{path: "channels.twilio.token_env", field: &twilio.TokenEnv, check: checkEnvName},
		{path: "channels.twilio.from", field: &twilio.From, check: checkNumber},
		{path: "channels.twilio.url", field: &twilio.URL, check: checkURL},
		{path: "channels.twilio.api_url", field: &twilio.APIURL, check: checkKeyURL},
		{path: "channels.webhook.url", field: &webhook.URL, check: checkURL},
		{path: "channels.webhook.secret_env", field: &webhook.SecretEnv, check: checkEnvName},
		{path: "channels.handoff.url", field: &handoff.URL, check: checkURL},
		{path: "channels.handoff.secret_env", field: &handoff.SecretEnv, check: checkEnvName},
	}
}

// optional are the settings that a channel does not need.
var optional = map[string]bool{"channels.slack.api_url": true, "channels.telegram.api_url": true, "channels.twilio.api_url": true}

// checkNumber accepts a number as Twilio writes them (E.164).
func checkNumber(s string) error {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(s, "whatsapp:"), "+")
	if !ok || len(digits) < 5 || len(digits) > 15 || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("it is no number; write it like +15550100 or whatsapp:+15550100")
	}
	return nil
}

// channels checks that each channel with settings has all that it needs.
func (l *settingsLoader) channels() {
	used, missing := map[string]string{}, map[string][]string{}
	for _, r := range l.settings.Channels.rows() {
		parts := strings.Split(r.path, ".")
		if len(parts) != 3 {
			continue
		}
		switch empty := r.show() == "" || isEmptyList(r.show()); {
		case !empty:
			used[parts[1]] = r.path
		case !optional[r.path]:
			missing[parts[1]] = append(missing[parts[1]], r.path)
		}
	}
	for _, name := range []string{"slack", "telegram", "twilio", "webhook", "handoff"} {
		if used[name] == "" {
			continue
		}
		for _, path := range missing[name] {
			l.reportAt(used[name], "needs "+path+" beside it", "set that, or leave channels."+name+" out")
		}
		if !l.settings.Memory.Enabled {
			l.reportAt(used[name], "needs memory.enabled, because replies are sent from the store", "set memory.enabled to true, or leave channels."+name+" out")
		}
	}
}

func isEmptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}
