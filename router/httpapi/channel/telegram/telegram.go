package telegram

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/channel"
)

// Options are the settings of a bot.
type Options struct {
	Token  string
	Secret string // secret_token of setWebhook
	APIURL string // of the Bot API server; default https://api.telegram.org
}

// Channel is one bot.
type Channel struct {
	opts   Options
	client *channel.Client
}

var _ channel.Channel = (*Channel)(nil)

// New returns the channel of a bot.
func New(opts Options) *Channel {
	opts.APIURL = channel.APIURL(opts.APIURL, "https://api.telegram.org")
	return &Channel{opts, channel.NewClient()}
}

// Traits implements channel.Channel, with the limits of https://core.telegram.org/bots/faq.
func (c *Channel) Traits() channel.Traits {
	return channel.Traits{Name: "telegram", MaxText: 4096, PerSecond: 30}
}

var (
	errUnsigned = errors.New("the request does not have the secret token of setWebhook")
	errForm     = errors.New("the body does not have the form of a Telegram update")
)

// Verify implements channel.Channel.
func (c *Channel) Verify(r *http.Request, _ []byte, _ time.Time) error {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Telegram-Bot-Api-Secret-Token")), []byte(c.opts.Secret)) != 1 {
		return errUnsigned
	}
	return nil
}

// update is the body of a request of Telegram (https://core.telegram.org/bots/api#update).
type update struct {
	ID       int64    `json:"update_id"`
	Message  *message `json:"message"`
	Callback *struct {
		ID      string   `json:"id"`
		From    user     `json:"from"`
		Message *message `json:"message"`
		Data    string   `json:"data"`
	} `json:"callback_query"`
}

type message struct {
	From    user   `json:"from"`
	Chat    chat   `json:"chat"`
	Text    string `json:"text"`
	Caption string `json:"caption"`
}

type user struct {
	ID    int64 `json:"id"`
	IsBot bool  `json:"is_bot"`
}

type chat struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
}

// pressed is the response to a pressed button. Without it the button keeps spinning.
type pressed struct {
	Method string `json:"method"`
	ID     string `json:"callback_query_id"`
}

// Parse implements channel.Channel. The ids of updates order them.
func (c *Channel) Parse(_ *http.Request, body []byte) (channel.Delivery, error) {
	var u update
	if err := json.Unmarshal(body, &u); err != nil || u.ID == 0 {
		return channel.Delivery{}, errForm
	}
	// Another bot may take the place of this one, and counts its updates by itself.
	bot, _, _ := strings.Cut(c.opts.Token, ":")
	e := channel.Event{ID: strings.TrimPrefix(bot+"/", "/") + strconv.FormatInt(u.ID, 10), Order: u.ID}
	switch {
	case u.Callback != nil && u.Callback.Message != nil && u.Callback.Data != "":
		e.From, e.Value = address(u.Callback.From, u.Callback.Message.Chat), u.Callback.Data
		return channel.Delivery{Events: []channel.Event{e}, Answer: &pressed{"answerCallbackQuery", u.Callback.ID}}, nil
	case u.Message != nil && !u.Message.From.IsBot && u.Message.Text+u.Message.Caption != "":
		e.From, e.Text = address(u.Message.From, u.Message.Chat), said(u.Message.Text+u.Message.Caption)
		return channel.Delivery{Events: []channel.Event{e}}, nil
	}
	return channel.Delivery{}, nil
}

func address(u user, c chat) channel.Address {
	a := channel.Address{User: strconv.FormatInt(u.ID, 10), Conversation: strconv.FormatInt(c.ID, 10)}
	if c.Type != "private" {
		a.Conversation += "/" + a.User
	}
	return a
}

// said returns a message as words: "/cancel@my_bot 12" is a command. Telegram sends /start when a person
// opens the chat with a bot.
func said(text string) string {
	command, ok := strings.CutPrefix(text, "/")
	if !ok {
		return text
	}
	name, rest, _ := strings.Cut(command, " ")
	if name, _, _ = strings.Cut(name, "@"); name == "start" {
		return "hello"
	}
	return strings.TrimSpace(strings.ReplaceAll(name, "_", " ") + " " + rest)
}

// Acknowledge implements channel.Channel. Telegram runs the method that the response names.
func (c *Channel) Acknowledge(w http.ResponseWriter, d *channel.Delivery) {
	answer := d.Answer
	if answer == nil {
		answer = struct{}{}
	}
	httpapi.WriteJSON(w, http.StatusOK, "application/json", answer)
}

type outgoing struct {
	Chat   string    `json:"chat_id"`
	Text   string    `json:"text"`
	Markup *keyboard `json:"reply_markup,omitempty"`
}

type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

type button struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
}

// maxTitle is the length of a button's title that a phone shows.
const maxTitle = 64

// Send implements channel.Channel.
func (c *Channel) Send(ctx context.Context, to channel.Address, m *channel.Message) error {
	chatID, _, _ := strings.Cut(to.Conversation, "/")
	out := outgoing{Chat: chatID, Text: m.Text}
	if len(m.Options) > 0 {
		out.Markup = &keyboard{}
		for _, o := range m.Options {
			out.Markup.Rows = append(out.Markup.Rows, []button{{channel.Shorten(o.Title, maxTitle), o.Value}})
		}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return &channel.SendError{Reason: "not_json", Never: true}
	}
	header := http.Header{"Content-Type": {"application/json"}}
	status, _, err := c.client.Do(ctx, http.MethodPost, c.opts.APIURL+"/bot"+c.opts.Token+"/sendMessage", header, body)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusNotFound: // the operator can correct the token
		return &channel.SendError{Reason: "unauthorized"}
	}
	// 400: the chat does not exist, or Telegram refuses the text; 403: the person has blocked the bot.
	return &channel.SendError{Reason: "status_" + strconv.Itoa(status), Never: true}
}
