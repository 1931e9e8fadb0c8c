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

// reach is what connects the agent with messaging platforms and with people who take over.
type reach struct {
	hub     *channel.Hub // nil: the runtime is no service
	open    bool         // it has channels
	workers []memory.Worker
	runners []*jobs.Runner // of the workers, one for each, so that none waits for another
}

// openChannels creates the channels that the settings name.
func (r *Runtime) openChannels(ctx context.Context) error {
	if r.observers == nil || r.opts.Now != nil { // not a service
		return nil
	}
	list, err := r.channels()
	if err != nil {
		return err
	}
	if len(list) > 0 && !r.settings.Memory.Enabled {
		return errors.New("open the channels: they need memory.enabled, because replies are sent from what is stored")
	}
	r.openHub(list)
	if r.reach.open = len(list) > 0; r.reach.open {
		if err := r.reach.hub.Open(ctx); err != nil {
			return err
		}
	}
	if err := r.openDesk(); err != nil {
		return err
	}
	r.reach.openRunners(r)
	return nil
}

// openDesk creates the worker that tells a desk of conversations for people, if the settings name one.
func (r *Runtime) openDesk() error {
	hook := r.settings.Channels.Handoff
	if hook.URL == "" {
		return nil
	}
	secrets := secrets{}
	target := webhook.NewTarget(secrets.webhook("channels.handoff", hook))
	r.reach.workers = append(r.reach.workers, desk.New(desk.Options{
		Target: target, Store: r.store, Digests: r.digests,
		Refused: func(key memory.Key, err error) { r.sink.Record(channel.Failed(key, "not_delivered", err)) },
	}))
	return secrets.err()
}

// Channels returns the names of the messaging platforms that the runtime is connected with.
func (r *Runtime) Channels() []string {
	if r.reach.hub == nil {
		return nil
	}
	return r.reach.hub.Names()
}

// openHub creates the hub. Without channels it answers that there is none.
func (r *Runtime) openHub(list []channel.Channel) {
	r.reach.hub = channel.New(&channel.Options{
		Channels: list, Store: r.store, Digests: r.digests, AgentID: r.agent.ID, Sink: r.sink, Settle: r.settings.Channels.Settle,
		Handle: func(ctx context.Context, in router.Interaction) (router.Reply, error) { return r.Handle(ctx, in) },
	})
	r.reach.workers = append(r.reach.workers, r.reach.hub.Workers()...)
}

// channels returns the channels that the settings name and those of the embedding program.
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

// secrets reads secrets from the environment and collects what is missing.
type secrets struct{ missing []string }

func (s *secrets) read(path, variable string) string {
	text := os.Getenv(variable)
	if text == "" {
		s.missing = append(s.missing, fmt.Sprintf("%s is %s, which is not set in the environment", path, variable))
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

// Work that is done for people goes on while turns are under way, and a platform that is down for
// some hours does not end it.
const (
	senders      = 8
	sendAttempts = 40
	// sendLease is how long a message waits whose process was killed. A send takes up to 15 s.
	sendLease = 30 * time.Second
)

// openRunners creates what runs the jobs of the workers.
func (c *reach) openRunners(r *Runtime) {
	for _, w := range c.workers {
		work := map[string]jobs.Func{w.Kind(): w.Work}
		c.runners = append(c.runners, jobs.New(r.store, work, &jobs.Options{Workers: senders, Lease: sendLease, MaxAttempts: sendAttempts, Done: r.jobEnded}))
	}
}

// nudge says that there may be a job.
func (c *reach) nudge() {
	for _, runner := range c.runners {
		runner.Nudge()
	}
}

// start handles what platforms deliver and sends what turns have said, until the runtime closes.
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
