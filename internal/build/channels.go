package build

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/httpapi/channel/slack"
	"github.com/slotway/slotway/router/httpapi/channel/telegram"
	"github.com/slotway/slotway/router/httpapi/channel/twilio"
	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

// Channels returns the messaging platforms of the settings.
func Channels(s *settings.Channels, digests *memory.Digests) ([]channel.Channel, error) {
	var list []channel.Channel
	secrets := secrets{}
	if s.Slack.TokenEnv != "" {
		list = append(list, slack.New(slack.Options{
			Token:         secrets.read("channels.slack.token_env", s.Slack.TokenEnv),
			SigningSecret: secrets.read("channels.slack.signing_secret_env", s.Slack.SigningSecretEnv), APIURL: s.Slack.APIURL,
		}))
	}
	if s.Telegram.TokenEnv != "" {
		list = append(list, telegram.New(telegram.Options{
			Token:  secrets.read("channels.telegram.token_env", s.Telegram.TokenEnv),
			Secret: secrets.read("channels.telegram.secret_env", s.Telegram.SecretEnv), APIURL: s.Telegram.APIURL,
		}))
	}
	if t := &s.Twilio; t.TokenEnv != "" {
		list = append(list, twilio.New(twilio.Options{
			AccountSID: t.AccountSID, Token: secrets.read("channels.twilio.token_env", t.TokenEnv), From: t.From, URL: t.URL, APIURL: t.APIURL,
			Digest: digests.UUID,
		}))
	}
	if s.Webhook.URL != "" {
		list = append(list, webhook.New(secrets.webhook("channels.webhook", s.Webhook)))
	}
	return list, secrets.err()
}

// DeskTarget returns where hand-over events are posted; nil if the settings name no desk.
func DeskTarget(hook settings.Webhook) (*webhook.Target, error) {
	if hook.URL == "" {
		return nil, nil
	}
	secrets := secrets{}
	target := webhook.NewTarget(secrets.webhook("channels.handoff", hook))
	return target, secrets.err()
}

// secrets reads secrets from the environment and collects the problems, so that one error names all.
type secrets struct{ missing []string }

func (s *secrets) read(path, variable string) string {
	text := os.Getenv(variable)
	if text == "" {
		s.missing = append(s.missing, fmt.Sprintf("%s is %s, which is not set in the environment: export the variable before you start", path, variable))
	}
	return text
}

// webhook returns the options of a signed webhook.
func (s *secrets) webhook(path string, hook settings.Webhook) webhook.Options {
	out := webhook.Options{URL: hook.URL}
	path += ".secret_env"
	if text := s.read(path, hook.SecretEnv); text != "" {
		secret, err := webhook.ParseSecret(text)
		if err != nil {
			s.missing = append(s.missing, fmt.Sprintf("%s is %s: %v", path, hook.SecretEnv, err))
		}
		out.Secret = secret
	}
	return out
}

func (s *secrets) err() error {
	if len(s.missing) == 0 {
		return nil
	}
	return fmt.Errorf("open the channels: %s", strings.Join(s.missing, "; "))
}

// Messages to people are sent even while turns run, and a platform that is down for some hours does not
// stop them: 40 attempts take four to five hours.
const (
	senders      = 8
	sendAttempts = 40
	// sendLease is the time that a message waits after its process was killed. A send takes up to 15 s.
	sendLease = 30 * time.Second
)

// Sender returns the runner for the jobs of a worker that sends messages to people. Each worker has its
// own, so that none waits for another.
func Sender(store memory.Backend, w memory.Worker, done func(jobs.Outcome)) *jobs.Runner {
	work := map[string]jobs.Func{w.Kind(): w.Work}
	return jobs.New(store, work, &jobs.Options{Workers: senders, Lease: sendLease, MaxAttempts: sendAttempts, Done: done})
}
