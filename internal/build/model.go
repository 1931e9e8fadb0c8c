package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	reading "github.com/slotway/slotway/classifier/llm"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// ModelClient returns a client of the model server in the settings; nil if they name none.
func ModelClient(chat settings.Chat) (*llm.Client, error) {
	if chat.BaseURL == "" {
		return nil, nil
	}
	client, err := llm.New(llm.Options{BaseURL: chat.BaseURL, Model: chat.Model, APIKey: os.Getenv(chat.APIKeyEnv), Timeout: chat.Timeout})
	if err != nil {
		return nil, fmt.Errorf("models.chat: %w", err)
	}
	return client, nil
}

// ModelName returns the name of a client's server and model, for replies.
func ModelName(client *llm.Client) (name router.ModelName) {
	if client != nil {
		name.Provider, name.Model = client.Service()
	}
	return name
}

// generator answers generate steps from a model server.
type generator struct{ client *llm.Client }

// Generate sends the prompt to the model.
func (g generator) Generate(ctx context.Context, prompt []memory.Message) (string, error) {
	return g.client.Generate(ctx, "", modelMessages(prompt))
}

// Stream implements router.Streamer.
func (g generator) Stream(ctx context.Context, prompt []memory.Message, yield func(part string)) (string, error) {
	return g.client.Stream(ctx, "", modelMessages(prompt), func(part string) error {
		yield(part)
		return nil
	})
}

func modelMessages(prompt []memory.Message) []llm.Message {
	messages := make([]llm.Message, len(prompt))
	for i, m := range prompt {
		messages[i] = llm.Message{Role: string(m.Role), Text: m.Text}
	}
	return messages
}

// Generator returns a generator for generate steps; nil without a client.
func Generator(client *llm.Client) router.Generator {
	if client == nil {
		return nil
	}
	return generator{client}
}

// readTimeout limits a turn's wait for the model to read a message. likelyIntents is the number of
// tasks of a large agent that the question to the model lists.
const (
	readTimeout   = 5 * time.Second
	likelyIntents = 20
)

// Classifier trains the embedded classifier of an agent and adds the model server, if there is one
// and the agent does not say `classifier: {llm: false}`.
func Classifier(agent *config.Agent, settings *settings.Settings, client *llm.Client, cache cascade.Cache) (classifier.Classifier, error) {
	return TrainClassifier(agent, settings, client, cache, nil)
}

// TrainClassifier is Classifier with [cascade.Options.Tick], which follows the training and may end it.
func TrainClassifier(agent *config.Agent, settings *settings.Settings, client *llm.Client, cache cascade.Cache, tick func(done, total int) error) (classifier.Classifier, error) {
	top := 0
	asks := client != nil && agent.Classifier.LLM
	if asks && len(agent.Intents) > likelyIntents {
		top = likelyIntents
	}
	opts, err := Learning(settings.Classifier, cache, top)
	if err != nil {
		return nil, err
	}
	opts.Tick = tick
	embedded, err := cascade.New(agent, opts)
	if err != nil {
		return nil, fmt.Errorf("train the classifier: %w", err)
	}
	if !asks {
		return embedded, nil
	}
	redactor := telemetry.NewRedactor(agent)
	model, err := reading.New(agent, classifierModel{client.WithRetries(0)}, &reading.Options{
		Names:   func(known map[string]any) reading.Names { return redactor.Pseudonyms(known) },
		Timeout: min(readTimeout, settings.Models.Chat.Timeout), Intents: likelyIntents,
	})
	if err != nil {
		return nil, fmt.Errorf("classifier.llm: %w", err)
	}
	return cascade.NewTiered(agent, embedded, model), nil
}

// classifierModel adapts a model server to the classifier.
type classifierModel struct{ client *llm.Client }

// Complete asks the model server, and converts its errors to the classifier's.
func (r classifierModel) Complete(ctx context.Context, req reading.Request) (string, error) {
	text, err := r.client.Answer(ctx, req.System, req.User, llm.Schema{Name: req.Name, Document: req.Schema})
	switch tools.CodeOf(err) {
	case tools.Timeout:
		return "", errors.Join(context.DeadlineExceeded, err)
	case tools.BadResult:
		return "", errors.Join(reading.ErrUnreadable, err)
	}
	return text, err
}

// JSONModel answers in JSON that fits a schema.
type JSONModel interface {
	Complete(ctx context.Context, system, user string, schema json.RawMessage) (string, error)
}

// watchedModel is a JSONModel that records whether it answers.
type watchedModel struct {
	client        *llm.Client
	servers       *Servers
	name          string // of the answer's schema
	part, without string // its name in /readyz, and what happens while it does not answer
}

// SummaryModel returns the model that makes what the schemas of a name describe; nil without a
// server. What it should have made waits for it.
func (o *Models) SummaryModel(name string) (JSONModel, error) {
	client, err := ModelClient(o.Settings.Models.Chat)
	if client == nil || err != nil {
		return nil, err
	}
	client = client.WithModel(o.Settings.Memory.Summary.LLMModel)
	m := &watchedModel{client, o.Servers, name, "memory.summary.llm_model", "summaries wait for it, and rules tell what it has not summarised"}
	if s := &o.Settings.Memory; s.Summary.Enabled || s.Compression.ArchiveConversations {
		return o.watched(m), nil
	}
	return m, nil // a command may ask it
}

// watched has a model that does not answer asked again until it does.
func (o *Models) watched(m *watchedModel) JSONModel {
	o.Servers.Watch(m.part, func(ctx context.Context) error {
		_, err := m.Complete(ctx, "Answer in JSON.", "Is it open?", json.RawMessage(
			`{"type":"object","properties":{"open":{"type":"boolean"}},"required":["open"],"additionalProperties":false}`))
		return err
	})
	return m
}

// Complete asks for an answer that fits a schema; "" for one that cannot be read, and for a text that
// the server refuses: it would do so again.
func (m *watchedModel) Complete(ctx context.Context, system, user string, schema json.RawMessage) (string, error) {
	text, err := m.client.Answer(ctx, system, user, llm.Schema{Name: m.name, Document: schema})
	code := tools.CodeOf(err)
	if code == tools.BadResult {
		text, err = "", nil
	}
	m.servers.Outcome(ctx, m.part, "the model", m.without, err)
	if code == tools.InvalidInput && ctx.Err() == nil {
		return "", nil
	}
	return text, err
}
