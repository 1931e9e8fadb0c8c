package slack

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// post is the body of chat.postMessage.
type post struct {
	Channel  string   `json:"channel"`
	Thread   string   `json:"thread_ts,omitempty"`
	Text     string   `json:"text"`
	Markdown bool     `json:"mrkdwn"` // always false: an agent's text is plain
	Blocks   []any    `json:"blocks,omitempty"`
	Metadata metadata `json:"metadata"`
}

type metadata struct {
	Type    string            `json:"event_type"`
	Payload map[string]string `json:"event_payload"`
}

type words struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type section struct {
	Type string `json:"type"`
	Text words  `json:"text"`
}

type actions struct {
	Type     string   `json:"type"`
	Elements []button `json:"elements"`
}

type button struct {
	Type  string `json:"type"`
	Text  words  `json:"text"`
	Value string `json:"value"`
	ID    string `json:"action_id"`
}

// Send implements channel.Channel.
func (c *Channel) Send(ctx context.Context, to channel.Address, m *channel.Message) error {
	channelID, thread := place(to)
	if !m.Tried.IsZero() {
		if found, err := c.sent(ctx, channelID, thread, m); found || err != nil {
			return err
		}
	}
	body, err := json.Marshal(post{
		Channel: channelID, Thread: thread, Text: escape.Replace(m.Text), Blocks: blocks(m),
		Metadata: metadata{Type: "slotway_message", Payload: map[string]string{"id": m.ID}},
	})
	if err != nil {
		return &channel.SendError{Reason: "not_json", Never: true}
	}
	_, err = c.call(ctx, http.MethodPost, c.opts.APIURL+"/chat.postMessage", body)
	return err
}

// newest limits the messages in which sent looks.
const newest = 50

// sent reports whether a message is there already. Without the scope for it, or where Slack refuses for
// good, nothing can be found out, and it says no. An error means that it can be found out later.
func (c *Channel) sent(ctx context.Context, channelID, thread string, m *channel.Message) (bool, error) {
	q := url.Values{
		"channel": {channelID}, "limit": {strconv.Itoa(newest)}, "include_all_metadata": {"true"},
		"oldest": {strconv.FormatInt(m.Tried.Add(-time.Minute).Unix(), 10)}, // the clocks may differ
	}
	method := "/conversations.history?"
	if thread != "" {
		method = "/conversations.replies?"
		q.Set("ts", thread)
	}
	a, err := c.call(ctx, http.MethodGet, c.opts.APIURL+method+q.Encode(), nil)
	if err != nil {
		if a == nil || unclear[a.Error] {
			return false, err
		}
		return false, nil
	}
	for i := range a.Messages {
		if a.Messages[i].Metadata.Payload.ID == m.ID {
			return true, nil
		}
	}
	return false, nil
}

// Limits of Slack's blocks.
const (
	maxButtons = 25
	maxTitle   = 75
)

// blocks returns a message with its options as buttons; nil: the message has no options.
func blocks(m *channel.Message) []any {
	if len(m.Options) == 0 {
		return nil
	}
	row := actions{Type: "actions"}
	for i, o := range m.Options[:min(len(m.Options), maxButtons)] {
		row.Elements = append(row.Elements, button{
			Type: "button", Text: words{"plain_text", channel.Shorten(o.Title, maxTitle)}, Value: o.Value, ID: "option-" + strconv.Itoa(i),
		})
	}
	return []any{section{"section", words{"plain_text", m.Text}}, row}
}

// escape replaces the characters that Slack would read as markup (https://docs.slack.dev/messaging/formatting-message-text/#escaping).
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
