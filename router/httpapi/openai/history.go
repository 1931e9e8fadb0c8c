package openai

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// line is one message of a history that a client sent.
type line struct {
	role string // user or assistant
	text string
}

const (
	user      = "user"
	assistant = "assistant"
)

// errType: a value has the wrong JSON type.
var errType = errors.New("wrong type")

// message is an element of messages, or an item of input.
type message struct {
	Type    string          `json:"type"` // of an item; "" and "message" are messages
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// ignoredRoles are the roles of messages that the agent does not read: its own definition instructs
// it, and it never asks for results of the client's tools.
var ignoredRoles = map[string]bool{"system": true, "developer": true, "tool": true, "function": true}

// takeHistory reads a list of messages. The last one that is not an instruction must be the user's
// and have text: it is the message of the turn.
func takeHistory(raw json.RawMessage, param string) ([]line, error) {
	var list []message
	if len(raw) == 0 {
		return nil, invalid("missing_required_parameter", param, "%s is missing.", param)
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil, invalid("invalid_type", param, "%s must be a list of objects with a role and a content.", param)
	}
	var said []line
	last, mute := "", false // the newest message that is no instruction: its role, and whether it has no text
	for i, m := range list {
		at := param + "[" + strconv.Itoa(i) + "]"
		if m.Type != "" && m.Type != "message" {
			last = m.Type
			continue
		}
		if m.Role != user && m.Role != assistant && !ignoredRoles[m.Role] {
			return nil, invalid("invalid_value", at+".role", "%s.role must be user, assistant, system, developer or tool.", at)
		}
		if m.Role == "system" || m.Role == "developer" {
			continue
		}
		last, mute = m.Role, true
		if ignoredRoles[m.Role] {
			continue
		}
		text, none, err := contentText(m.Content)
		if err != nil {
			return nil, invalid("invalid_type", at+".content", "%s.content must be text or a list of parts.", at)
		}
		if !none {
			said, mute = append(said, line{m.Role, text}), false
		}
	}
	switch {
	case last == user && mute:
		return nil, invalid("unsupported_content", param, "The last message has no text. An agent reads text, no images, files or sound.")
	case last != user:
		return nil, invalid("invalid_value", param, "The last message must be the user's, with text: that is what the agent answers.")
	}
	return said, nil
}

// contentText joins the texts of a message's content. none: it has no text.
func contentText(raw json.RawMessage) (text string, none bool, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", true, nil
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, false, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", false, errType
	}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" || p.Type == "input_text" || p.Type == "output_text" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), len(texts) == 0, nil
}

// canonical removes what clients change about a text: line ends and outer white space.
func canonical(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// maxUnanswered is the number of the user's messages without an answer that are skipped to find the
// newest with one.
const maxUnanswered = 4

// exchanges goes back from the end of a history: each message of the user before the last, with the
// client's copy of its answer. The list ends with the first one that has an answer; those after it
// got none, or it was lost on the way.
func exchanges(said []line) (list []exchange) {
	end := len(said) - 1
	for i := end - 1; i >= 0 && len(list) <= maxUnanswered; i-- {
		if said[i].role == assistant {
			continue
		}
		list = append(list, exchange{upTo: i + 1, reply: joined(said[i+1 : end])})
		if end > i+1 {
			break
		}
		end = i
	}
	return list
}

// joined returns what the agent said as one text.
func joined(said []line) string {
	texts := make([]string, 0, len(said))
	for _, l := range said {
		texts = append(texts, l.text)
	}
	return canonical(strings.Join(texts, "\n"))
}

// exchange is a message of the user, the last of said[:upTo], and the client's copy of the
// agent's answer.
type exchange struct {
	upTo  int
	reply string
}

// matches reports whether the client's copy is the reply or a beginning of it: a client that stops
// reading keeps the beginning.
func (e exchange) matches(reply string) bool {
	return strings.HasPrefix(canonical(reply), e.reply)
}

// digests makes the digests of what somebody said and of ids that somebody chose. Nothing else in this
// package hashes, so the store's keys cover all of it.
type digests struct{ keys *memory.Digests }

// history returns digests of what a user and an agent said, up to each number of lines in upTo, which
// ascends. It reads the lines once.
func (d digests) history(owner memory.Key, kind string, said []line, upTo ...int) []string {
	hash := d.keys.Hash()
	add := func(parts ...string) { hash.Write(memory.LengthPrefixed(parts...)) }
	add(owner.UserID, owner.AgentID, kind)
	names, read := make([]string, 0, len(upTo)), 0
	for _, n := range upTo {
		for ; read < n; read++ {
			add(said[read].role, canonical(said[read].text))
		}
		names = append(names, hex.EncodeToString(hash.Sum(nil)))
	}
	return names
}

// session makes a session's id of what only its user can know, so that the same request finds the same
// session.
func (d digests) session(parts ...string) string { return d.keys.UUID(parts...) }
