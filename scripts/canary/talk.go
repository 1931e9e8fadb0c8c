package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/slotway/slotway/scripts/harness"
)

// person is a client whose every message holds planted values.
type person struct {
	out    *ledger
	client *harness.Client
	rng    *rand.Rand
	counts *counts
}

// text returns a new planted value.
func (p *person) text() string {
	p.counts.planted.Add(1)
	return fmt.Sprintf("%s%06x", word, p.rng.IntN(1<<24))
}

func (p *person) digits() string {
	p.counts.planted.Add(1)
	return fmt.Sprintf("%s%05d", number, p.rng.IntN(100000))
}

// name returns a planted name. Case, spaces and scripts vary.
func (p *person) name() string {
	t := p.text()
	forms := []string{t, strings.ToUpper(t), "Ada " + t, "Łucja " + t + " 王"}
	return forms[p.rng.IntN(len(forms))]
}

// conversation holds one conversation of about ten turns.
func (p *person) conversation(ctx context.Context, slow bool) error {
	session := fmt.Sprintf("s-%08x%08x", p.rng.Uint32(), p.rng.Uint32())
	if p.rng.IntN(8) == 0 {
		session = fmt.Sprintf("C-%s%05d", inID, p.rng.IntN(100000)) // a case number as the id of a session
	}
	name := p.name()
	said := []string{
		"open a case", name, p.text() + "@example.org", "+49170" + number[:8], p.digits(), "note that " + p.text(),
		"find C-" + p.digits(), "look up the case of " + name + " flumps quandered zorbly", "find my case", "C-" + p.digits(),
		"my card is 4111 1111 1111 1111 and " + p.text() + "@example.org is my address", "give me advice",
	}
	if slow {
		said = append(said, "check C-"+p.digits())
	}
	for i, text := range said {
		id := fmt.Sprintf("m%d", i)
		if p.rng.IntN(16) == 0 {
			id = fmt.Sprintf("a%s%06d@example.org", inID, p.rng.IntN(1000000))
		}
		if err := p.post(ctx, "/chat", harness.Message{Text: text, Session: session, ID: id}); err != nil {
			return err
		}
		p.counts.turns.Add(1)
	}
	return p.mistakes(ctx, session)
}

// mistakes sends requests that slotway refuses, each with planted values.
func (p *person) mistakes(ctx context.Context, session string) error {
	t := p.text()
	for path, body := range map[string]string{
		"/chat?" + t + "=" + t:          `{"message": "` + t,
		"/chat":                         `{"message": 1, "note": "` + t + `"}`,
		"/chat/":                        `{"message": {"` + t + `": 1}, "conversation_id": "` + session + `"}`,
		"/v1/" + t:                      t,
		"/v1/sessions/" + t + "/export": "",
		"/v1/memory/search":             `{"query": 1, "session_id": "` + t + `"}`,
		"/v1/sessions/import":           `{"` + t + `": ` + t + `}`,
		"/v1/chat/completions":          `{"model": "` + t + `", "messages": [{"role": "` + t + `", "content": "` + t + `"}]}`,
		"/v1/responses":                 `{"model": "canary", "input": {"` + t + `": 1}}`,
		"/mcp":                          `{"jsonrpc": "2.0", "id": 1, "method": "` + t + `", "params": {"name": "` + t + `"}}`,
	} {
		if err := p.post(ctx, path, []byte(body)); err != nil {
			return err
		}
	}
	return nil
}

// post sends a request with planted headers. It searches the answer, unless that is a reply.
func (p *person) post(ctx context.Context, path string, body any) error {
	t := p.text()
	header := http.Header{
		"Cookie": {"session=" + t}, "User-Agent": {t}, "Referer": {"http://" + t + "/"},
		"Traceparent": {"00-" + number + number + "0000000000000f-" + number + "0000000-01"}, "Tracestate": {"a=" + t},
		"Accept": {"application/json, text/event-stream"}, "X-Request-Id": {t},
	}
	switch path { // slotway refuses these headers
	case "/v1/responses":
		header.Set("Authorization", "Bearer "+secret+t)
	case "/v1/sessions/import":
		header.Set("X-User-Id", t)
	}
	res, err := p.client.Try(ctx, http.MethodPost, path, body, header)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode == http.StatusOK && path == "/chat" {
		if len(p.out.set.Find(data)) > 0 {
			p.counts.own.Add(1)
		}
		return nil
	}
	if res.StatusCode >= http.StatusBadRequest {
		p.counts.refused.Add(1)
	}
	p.out.search("error answers", data)
	var head bytes.Buffer
	_ = res.Header.Write(&head) // never fails
	p.out.search("headers", head.Bytes())
	return nil
}
