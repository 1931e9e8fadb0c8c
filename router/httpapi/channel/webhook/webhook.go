package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// Options are the settings of the channel.
type Options struct {
	URL    string // receives the messages
	Secret Secret // signs both directions
}

// Channel is the signed webhook.
type Channel struct{ to *Target }

var _ channel.Channel = (*Channel)(nil)

// New returns the channel.
func New(opts Options) *Channel { return &Channel{NewTarget(opts)} }

// Traits implements channel.Channel. A receiver that gets too much answers 429.
func (c *Channel) Traits() channel.Traits {
	return channel.Traits{Name: "webhook", MaxText: 64 << 10, PerSecond: 100}
}

// Verify implements channel.Channel.
func (c *Channel) Verify(r *http.Request, body []byte, now time.Time) error {
	return c.to.opts.Secret.Verify(r.Header, body, now)
}

// incoming is the body of a message to the agent.
type incoming struct {
	User         string `json:"user_id"`
	Conversation string `json:"conversation_id"`
	Text         string `json:"text"`
	Option       string `json:"option"`
	Order        int64  `json:"order"`
}

var errForm = errors.New("the body does not have the form of a message")

// Parse implements channel.Channel.
func (c *Channel) Parse(r *http.Request, body []byte) (channel.Delivery, error) {
	var in incoming
	if err := json.Unmarshal(body, &in); err != nil || (in.Text == "") == (in.Option == "") {
		return channel.Delivery{}, errForm
	}
	return channel.Delivery{Events: []channel.Event{{
		ID: r.Header.Get(headerID), From: channel.Address{User: in.User, Conversation: in.Conversation},
		Text: in.Text, Value: in.Option, Order: in.Order,
	}}}, nil
}

// Acknowledge implements channel.Channel.
func (c *Channel) Acknowledge(w http.ResponseWriter, _ *channel.Delivery) {
	w.WriteHeader(http.StatusAccepted)
}

// said is the data of an event: a message of the agent.
type said struct {
	User         string   `json:"user_id"`
	Conversation string   `json:"conversation_id"`
	Text         string   `json:"text"`
	Options      []option `json:"options"`
}

type option struct {
	Title  string `json:"title"`
	Option string `json:"option"` // the receiver sends it back unchanged
}

// Send implements channel.Channel.
func (c *Channel) Send(ctx context.Context, to channel.Address, m *channel.Message) error {
	data := said{User: to.User, Conversation: to.Conversation, Text: m.Text, Options: []option{}}
	for _, o := range m.Options {
		data.Options = append(data.Options, option{o.Title, o.Value})
	}
	return c.to.Post(ctx, m.ID, "message", data)
}

// Target posts signed events to one address.
type Target struct {
	opts   Options
	client *channel.Client
}

// NewTarget returns a target.
func NewTarget(opts Options) *Target { return &Target{opts, channel.NewClient()} }

// refusals are final: the receiver has read the event and refuses it. Other statuses, such as 404, can
// come from a receiver that is not set up yet.
var refusals = map[int]bool{
	http.StatusBadRequest: true, http.StatusGone: true, http.StatusRequestEntityTooLarge: true, http.StatusUnprocessableEntity: true,
}

// Post sends an event. Use the same id in each attempt. Errors are *channel.SendError.
func (t *Target) Post(ctx context.Context, id, kind string, data any) error {
	now := time.Now().UTC()
	body, err := json.Marshal(map[string]any{"type": kind, "timestamp": now.Format(time.RFC3339), "data": data})
	if err != nil {
		return &channel.SendError{Reason: "not_json", Never: true}
	}
	header := t.opts.Secret.Sign(id, body, now)
	header.Set("Content-Type", "application/json")
	status, _, err := t.client.Do(ctx, http.MethodPost, t.opts.URL, header, body)
	if err != nil || status < 300 {
		return err
	}
	return &channel.SendError{Reason: "status_" + strconv.Itoa(status), Never: refusals[status]}
}
