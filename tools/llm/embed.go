package llm

import (
	"context"
	"fmt"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
)

// maxEmbedBatch is the number of texts in one request to an embedding model.
const maxEmbedBatch = 64

// Embed returns a vector for each text, in order, from the server's embedding model. An answer with
// another number of vectors, or with vectors of different lengths, is tools.BadResult.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		batch := texts[:min(maxEmbedBatch, len(texts))]
		texts = texts[len(batch):]
		vectors, err := c.embed(ctx, batch)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	for _, v := range out {
		if len(v) == 0 || len(v) != len(out[0]) {
			return nil, &tools.Error{Code: tools.BadResult, Tool: name, Detail: "vectors of different lengths"}
		}
	}
	return out, nil
}

func (c *Client) embed(ctx context.Context, batch []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	resp, err := c.openai.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Input: batch, Model: openai.EmbeddingModel(c.opts.Model)})
	if err != nil {
		return nil, asError(err)
	}
	vectors := make([][]float32, len(batch))
	for _, e := range resp.Data {
		if e.Index < 0 || e.Index >= len(batch) || vectors[e.Index] != nil {
			return nil, &tools.Error{Code: tools.BadResult, Tool: name, Detail: "a vector of no text"}
		}
		vectors[e.Index] = e.Embedding
	}
	for i, v := range vectors {
		if len(v) == 0 {
			return nil, &tools.Error{Code: tools.BadResult, Tool: name, Detail: fmt.Sprintf("no vector for text %d of %d", i+1, len(batch))}
		}
	}
	return vectors, nil
}
