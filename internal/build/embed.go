package build

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/tools/llm"
)

// embedPart is the name of the embedding server in /readyz.
const embedPart = "models.embed"

// Models connects the servers that compare and rank texts. One goroutine uses it at a time.
type Models struct {
	Settings *settings.Settings
	Servers  *Servers // records which of them do not answer

	Embedder recall.Embedder // in the place of the settings' one
	Ranker   recall.Reranker // in the place of the settings' one

	remote *remoteEmbedder // nil until it is needed
}

// Embedders returns the models that compare texts, the preferred one first: that of the server if
// the settings name one, then the embedded one, which serves while the server does not answer.
// Without memory.vector_store.enabled there are none, and texts are compared by words.
func (o *Models) Embedders(ctx context.Context) ([]recall.Embedder, error) {
	if !o.Settings.Memory.VectorStore.Enabled {
		return nil, nil
	}
	static, err := WordVectors()
	if err != nil {
		return nil, fmt.Errorf("open the word vectors: %w", err)
	}
	if o.Embedder != nil {
		return []recall.Embedder{o.Embedder, static}, nil
	}
	if o.Settings.Models.Embed.Provider == "static" {
		return []recall.Embedder{static}, nil
	}
	remote, err := o.server(ctx)
	if err != nil {
		return nil, err
	}
	return []recall.Embedder{remote, static}, nil
}

// server returns the embedder of the server in the settings; there is one. It asks the server at
// once for the length of its vectors, which may stay unknown until later.
func (o *Models) server(ctx context.Context) (*remoteEmbedder, error) {
	if o.remote != nil {
		return o.remote, nil
	}
	e := o.Settings.Models.Embed
	base := cmp.Or(e.BaseURL, embedServers[e.Provider])
	opts := llm.Options{BaseURL: base, Model: e.Model, APIKey: os.Getenv(o.Settings.Models.Chat.APIKeyEnv)}
	if e.Provider == llm.Ollama {
		opts.API = llm.Ollama
	}
	client, err := llm.New(opts)
	if err != nil {
		return nil, fmt.Errorf("models.embed: %w; set models.embed.model, or provider static", err)
	}
	o.remote = &remoteEmbedder{client: client, model: e.Provider + "/" + e.Model, servers: o.Servers}
	o.Servers.Watch(embedPart, o.remote.probe)
	probe, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_ = o.remote.probe(probe) // it records the outcome itself
	return o.remote, ctx.Err()
}

// probeTimeout limits the wait for one answer of a server.
const probeTimeout = 3 * time.Second

// embedServers are the default addresses of the providers.
var embedServers = map[string]string{"openai": "https://api.openai.com/v1", "ollama": "http://127.0.0.1:11434/v1"}

// remoteEmbedder asks an OpenAI-compatible server. The texts that it gets have been redacted.
type remoteEmbedder struct {
	client    *llm.Client
	model     string
	dimension atomic.Int64 // 0: the server has not answered yet
	servers   *Servers
}

// Embed implements recall.Embedder.
func (r *remoteEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	found, err := r.client.Embed(ctx, texts)
	r.servers.Outcome(ctx, embedPart, "the embedding server", "texts are compared by words and by the embedded model", err)
	if err == nil && len(found) > 0 {
		r.dimension.CompareAndSwap(0, int64(len(found[0])))
	}
	return found, err
}

func (r *remoteEmbedder) probe(ctx context.Context) error {
	_, err := r.Embed(ctx, []string{"dimension"})
	return err
}

// Model implements recall.Embedder.
func (r *remoteEmbedder) Model() string { return r.model }

// Dimension implements recall.Embedder.
func (r *remoteEmbedder) Dimension() int { return int(r.dimension.Load()) }
