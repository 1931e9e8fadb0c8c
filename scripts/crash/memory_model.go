package main

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"time"
)

// The embedding models of the toy server.
const (
	firstModel  = "toy-1"
	secondModel = "toy-2"
)

// toyModel is an OpenAI-compatible server that answers after a few milliseconds, in which a kill
// may come. Its vectors are made of checksums. Its summaries are empty, so that slotway summarises
// texts by their own sentences.
type toyModel struct {
	server *httptest.Server
	asked  chan struct{} // receives while a job waits for an answer
}

func newToyModel() *toyModel {
	m := &toyModel{asked: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", m.embed)
	mux.HandleFunc("POST /v1/chat/completions", m.chat)
	m.server = httptest.NewServer(mux)
	return m
}

func (m *toyModel) url() string { return m.server.URL + "/v1" }

func (m *toyModel) close() {
	m.server.CloseClientConnections()
	m.server.Close()
}

// dawdle delays an answer. work says that a job waits for it.
func (m *toyModel) dawdle(work bool) {
	if work {
		select {
		case m.asked <- struct{}{}:
		default: // no kill is due
		}
	}
	time.Sleep(time.Duration(rand.IntN(10_000)) * time.Microsecond)
}

func (m *toyModel) embed(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model string
		Input []string
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil || len(req.Input) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	m.dawdle(len(req.Input) > 1 || req.Input[0] != "dimension") // the request at a start
	type vector struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []vector
	for i, text := range req.Input {
		data = append(data, vector{i, toyVector(req.Model + text)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "model": req.Model})
}

// toyDimension is the length of the vectors.
const toyDimension = 16

func toyVector(text string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	rng := rand.New(rand.NewPCG(h.Sum64(), 0))
	v := make([]float32, toyDimension)
	for i := range v {
		v[i] = rng.Float32() - 0.5
	}
	return v
}

func (m *toyModel) chat(w http.ResponseWriter, _ *http.Request) {
	m.dawdle(true)
	answer := map[string]string{"role": "assistant", "content": `{"narrative":"","facts":[]}`}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": answer}}})
}
