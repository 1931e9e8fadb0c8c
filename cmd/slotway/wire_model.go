package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	reading "github.com/slotway/slotway/classifier/llm"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// modelClient connects the model server that the settings name; nil if they name none.
func modelClient(chat config.ChatSettings) (*llm.Client, error) {
	if chat.BaseURL == "" {
		return nil, nil
	}
	client, err := llm.New(llm.Options{BaseURL: chat.BaseURL, Model: chat.Model, APIKey: os.Getenv(chat.APIKeyEnv), Timeout: chat.Timeout})
	if err != nil {
		return nil, fmt.Errorf("models.chat: %w", err)
	}
	return client, nil
}

// modelName is what replies call the server that a client asks.
func modelName(client *llm.Client) (name router.ModelName) {
	if client != nil {
		name.Provider, name.Model = client.Service()
	}
	return name
}

// generator answers generate steps from a model server.
type generator struct{ client *llm.Client }

// Generate puts the prompt to the model.
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

// buildGenerator answers generate steps with a client, or not at all with nil.
func (a *app) buildGenerator(client *llm.Client) router.Generator {
	if client == nil {
		return nil
	}
	return generator{client}
}

// patience is how long a turn waits for the model's reading of a message, and likelyIntents
// how many tasks of a large agent a question lists.
const (
	patience      = 5 * time.Second
	likelyIntents = 20
)

// buildClassifier trains the embedded classifier and puts the model server behind it, where
// there is one and the agent does not say `classifier: {llm: false}`.
func (a *app) buildClassifier(client *llm.Client, cache cascade.Cache) (classifier.Classifier, error) {
	top := 0
	asks := client != nil && a.agent.Classifier.LLM
	if asks && len(a.agent.Intents) > likelyIntents {
		top = likelyIntents
	}
	opts, err := learning(a.settings.Classifier, cache, top)
	if err != nil {
		return nil, err
	}
	embedded, err := cascade.New(a.agent, opts)
	if err != nil {
		return nil, fmt.Errorf("train the classifier: %w", err)
	}
	if !asks {
		return embedded, nil
	}
	redactor := telemetry.NewRedactor(a.agent)
	model, err := reading.New(a.agent, reader{client.WithRetries(0)}, &reading.Options{
		Names:   func(known map[string]any) reading.Names { return redactor.Pseudonyms(known) },
		Timeout: min(patience, a.settings.Models.Chat.Timeout), Intents: likelyIntents,
	})
	if err != nil {
		return nil, fmt.Errorf("classifier.llm: %w", err)
	}
	return cascade.NewTiered(a.agent, embedded, model), nil
}

// classifier builds what understands an agent, as a server has it, for a command that has
// no conversations.
func (f *flags) classifier(agent *config.Agent, warnings io.Writer) (classifier.Classifier, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	client, err := modelClient(settings.Models.Chat)
	if err != nil {
		return nil, err
	}
	p := parts{logs: warnings}
	return (&app{settings: settings, agent: agent}).buildClassifier(client, p.cached(f.dataDir(settings)))
}

// reader is a model server as the classifier sees it.
type reader struct{ client *llm.Client }

// Complete asks the model server, and puts its errors into the classifier's words.
func (r reader) Complete(ctx context.Context, req reading.Request) (string, error) {
	text, err := r.client.Answer(ctx, req.System, req.User, llm.Schema{Name: req.Name, Document: req.Schema})
	switch tools.CodeOf(err) {
	case tools.Timeout:
		return "", errors.Join(context.DeadlineExceeded, err)
	case tools.BadResult:
		return "", errors.Join(reading.ErrUnreadable, err)
	}
	return text, err
}
