package slotway

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/httpapi/channel/desk"
	"github.com/slotway/slotway/router/httpapi/channel/slack"
	"github.com/slotway/slotway/router/httpapi/channel/telegram"
	"github.com/slotway/slotway/router/httpapi/channel/twilio"
	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

// reach connects the agent with messaging platforms and with the people who take conversations over.
type reach struct {
	hub     *channel.Hub // nil: the runtime is not a service
	open    bool         // the hub has channels
	workers []memory.Worker
	runners []*jobs.Runner // one for each worker, so that none waits for another
}

// openChannels creates the channels of the settings and of the embedding program.
func (r *Runtime) openChannels(ctx context.Context) error {
	if r.observers == nil || r.opts.Now != nil { // not a service
		return nil
	}
	list, err := r.channels()
	if err != nil {
		return err
	}
	if len(list) > 0 && !r.settings.Memory.Enabled {
		return errors.New("open the channels: they need memory.enabled, because they send replies from the store; set memory.enabled to true, or remove the channels")
	}
	r.openHub(list)
	if r.reach.open = len(list) > 0; r.reach.open {
		if err := r.reach.hub.Open(); err != nil {
			return err
		}
	}
	if err := r.openDesk(); err != nil {
		return err
	}
	r.reach.openRunners(r)
	return nil
}

// openDesk creates the worker that posts hand-over events to a desk, if the settings name one.
func (r *Runtime) openDesk() error {
	hook := r.settings.Channels.Handoff
	if hook.URL == "" {
		return nil
	}
	secrets := secrets{}
	target := webhook.NewTarget(secrets.webhook("channels.handoff", hook))
	r.reach.workers = append(r.reach.workers, desk.New(desk.Options{
		Target: target, Store: r.store, Digests: r.digests, From: r.restored,
		Refused: func(key memory.Key, err error) { r.sink.Record(channel.Failed(key, "not_delivered", err)) },
	}))
	return secrets.err()
}

// Channels returns the names of the connected messaging platforms.
func (r *Runtime) Channels() []string {
	if r.reach.hub == nil {
		return nil
	}
	return r.reach.hub.Names()
}

// openHub creates the hub. A hub without channels answers each delivery with 404.
func (r *Runtime) openHub(list []channel.Channel) {
	r.reach.hub = channel.New(&channel.Options{
		Channels: list, Store: r.store, Digests: r.digests, Restored: r.restored, AgentID: r.agent.ID, Sink: r.sink, Settle: r.settings.Channels.Settle,
		Handle: func(ctx context.Context, in router.Interaction) (router.Reply, error) { return r.Handle(ctx, in) },
	})
	r.reach.workers = append(r.reach.workers, r.reach.hub.Workers()...)
}

// channels returns the channels of the settings and of the embedding program.
func (r *Runtime) channels() ([]channel.Channel, error) {
	var list []channel.Channel
	secrets := secrets{}
	s := &r.settings.Channels
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
			Digest: r.digests.UUID,
		}))
	}
	if s.Webhook.URL != "" {
		list = append(list, webhook.New(secrets.webhook("channels.webhook", s.Webhook)))
	}
	return append(list, r.opts.Channels...), secrets.err()
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

// openRunners creates the runners for the jobs of the workers.
func (c *reach) openRunners(r *Runtime) {
	for _, w := range c.workers {
		work := map[string]jobs.Func{w.Kind(): w.Work}
		c.runners = append(c.runners, jobs.New(r.store, work, &jobs.Options{Workers: senders, Lease: sendLease, MaxAttempts: sendAttempts, Done: r.jobEnded}))
	}
}

// nudge wakes the runners: there may be a job.
func (c *reach) nudge() {
	for _, runner := range c.runners {
		runner.Nudge()
	}
}

// start receives messages from platforms and sends replies until the runtime closes.
func (c *reach) start(r *Runtime) {
	if len(c.runners) == 0 {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, runner := range c.runners {
		all.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	}
	if c.open {
		all.Go(func() { c.hub.Run(ctx) })
	}
	r.onClose(func() error {
		stop()
		all.Wait()
		return nil
	})
}
