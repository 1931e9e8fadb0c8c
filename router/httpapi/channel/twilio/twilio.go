package twilio

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio signs with it
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// Options are the settings of an account.
type Options struct {
	AccountSID string
	Token      string   // the account's auth token
	From       []string // numbers of the agent, "+15550100" or "whatsapp:+15550100"
	URL        string   // of this service, as Twilio's console has it; the signature covers it
	APIURL     string   // default https://api.twilio.com
	// Digest returns the id of the conversation between two numbers.
	Digest func(parts ...string) string
}

// Channel is one account.
type Channel struct {
	opts   Options
	client *channel.Client
}

var _ channel.Channel = (*Channel)(nil)

// New returns the channel of an account.
func New(opts Options) *Channel {
	opts.APIURL = channel.APIURL(opts.APIURL, "https://api.twilio.com")
	return &Channel{opts, channel.NewClient()}
}

// Traits implements channel.Channel. Twilio takes 1,600 characters, queues messages that a number cannot
// send at once, and limits the requests of an account.
func (c *Channel) Traits() channel.Traits {
	return channel.Traits{Name: "twilio", MaxText: 1600, PerSecond: 50}
}

var (
	errUnsigned = errors.New("the request has no valid signature of Twilio")
	errForm     = errors.New("the body does not have the form of a Twilio message")
)

// Verify implements channel.Channel.
func (c *Channel) Verify(r *http.Request, body []byte, _ time.Time) error {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return errUnsigned
	}
	mac := hmac.New(sha1.New, []byte(c.opts.Token))
	mac.Write([]byte(c.opts.URL))
	for _, name := range slices.Sorted(maps.Keys(form)) {
		values := slices.Compact(slices.Sorted(slices.Values(form[name])))
		for _, v := range values {
			mac.Write([]byte(name + v))
		}
	}
	if !hmac.Equal([]byte(base64.StdEncoding.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("X-Twilio-Signature"))) {
		return errUnsigned
	}
	return nil
}

// Parse implements channel.Channel. Twilio does not number messages.
func (c *Channel) Parse(_ *http.Request, body []byte) (channel.Delivery, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil || form.Get("MessageSid") == "" || form.Get("From") == "" {
		return channel.Delivery{}, errForm
	}
	text := strings.TrimSpace(form.Get("Body"))
	if text == "" || !slices.Contains(c.opts.From, form.Get("To")) {
		return channel.Delivery{}, nil // a picture without text, or a number that the settings do not name
	}
	return channel.Delivery{Events: []channel.Event{{
		ID: form.Get("MessageSid"), Text: text, From: channel.Address{User: form.Get("From"), Conversation: c.conversation(form.Get("From"), form.Get("To"))},
	}}}, nil
}

func (c *Channel) conversation(person, ours string) string {
	return c.opts.Digest("twilio", person, ours)
}

// Acknowledge implements channel.Channel: TwiML without a message.
func (c *Channel) Acknowledge(w http.ResponseWriter, _ *channel.Delivery) {
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	_, _ = w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?><Response/>`)) // after an error Twilio delivers again
}

// Send implements channel.Channel.
func (c *Channel) Send(ctx context.Context, to channel.Address, m *channel.Message) error {
	i := slices.IndexFunc(c.opts.From, func(ours string) bool { return c.conversation(to.User, ours) == to.Conversation })
	if i < 0 {
		return &channel.SendError{Reason: "number_not_ours", Never: true} // the settings no longer name it
	}
	form := url.Values{"To": {to.User}, "From": {c.opts.From[i]}, "Body": {withOptions(m)}}
	if !m.Tried.IsZero() {
		if found, err := c.sent(ctx, form, m.Tried); found || err != nil {
			return err
		}
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	status, _, err := c.call(ctx, http.MethodPost, "", header, []byte(form.Encode()))
	switch {
	case err != nil:
		return err
	case status < 300:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound: // the operator can correct these
		return &channel.SendError{Reason: "unauthorized"}
	}
	return &channel.SendError{Reason: "status_" + strconv.Itoa(status), Never: true} // such as a number that cannot receive SMS
}

func (c *Channel) call(ctx context.Context, method, query string, header http.Header, body []byte) (int, []byte, error) {
	if header == nil {
		header = http.Header{}
	}
	header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(c.opts.AccountSID+":"+c.opts.Token)))
	return c.client.Do(ctx, method, c.opts.APIURL+"/2010-04-01/Accounts/"+url.PathEscape(c.opts.AccountSID)+"/Messages.json"+query, header, body)
}

// skew is how far Twilio's clock, which counts whole seconds, may be behind ours. Two equal messages in so
// short a time are one.
const skew = 2 * time.Second

// sent reports whether a message was created since an attempt. Twilio lists the newest first, those that
// wait to be sent among them. An error means that it can be found out later.
func (c *Channel) sent(ctx context.Context, form url.Values, since time.Time) (bool, error) {
	q := url.Values{"To": form["To"], "From": form["From"], "PageSize": {"50"}}
	status, body, err := c.call(ctx, http.MethodGet, "?"+q.Encode(), nil, nil)
	if err != nil || status != http.StatusOK {
		return false, err
	}
	var list struct {
		Messages []struct {
			Body    string `json:"body"`
			Created string `json:"date_created"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &list) != nil {
		return false, nil
	}
	for _, m := range list.Messages {
		at, err := time.Parse(time.RFC1123Z, m.Created)
		// Twilio puts words before the text of trial accounts.
		if err == nil && !at.Before(since.Add(-skew)) && strings.HasSuffix(m.Body, form.Get("Body")) {
			return true, nil
		}
	}
	return false, nil
}

// withOptions adds the options that the text does not mention.
func withOptions(m *channel.Message) string {
	var titles []string
	for _, o := range m.Options {
		if !strings.Contains(strings.ToLower(m.Text), strings.ToLower(o.Title)) {
			titles = append(titles, o.Title)
		}
	}
	if len(titles) == 0 {
		return m.Text
	}
	return m.Text + "\n" + strings.Join(titles, " / ")
}
