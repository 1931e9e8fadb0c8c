package slack

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/router/httpapi/channel"
)

// Options are the settings of a Slack app.
type Options struct {
	Token         string // the bot's: xoxb-...
	SigningSecret string
	APIURL        string // default https://slack.com/api
}

// Channel is one Slack app.
type Channel struct {
	opts   Options
	client *channel.Client
}

var _ channel.Channel = (*Channel)(nil)

// New returns the channel of an app.
func New(opts Options) *Channel {
	opts.APIURL = channel.APIURL(opts.APIURL, "https://slack.com/api")
	return &Channel{opts, channel.NewClient()}
}

// Traits implements channel.Channel. A section block holds 3,000 characters. Slack "generally" takes one
// message a second for a channel, and several hundred a minute for a workspace.
func (c *Channel) Traits() channel.Traits {
	return channel.Traits{Name: "slack", MaxText: 3000, PerSecond: 5}
}

// oldest is the greatest age of a signed request that Slack advises.
const oldest = 5 * time.Minute

var errUnsigned = errors.New("the request has no valid signature of Slack")

// Verify implements channel.Channel.
func (c *Channel) Verify(r *http.Request, body []byte, now time.Time) error {
	stamp := r.Header.Get("X-Slack-Request-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > oldest {
		return errUnsigned
	}
	mac := hmac.New(sha256.New, []byte(c.opts.SigningSecret))
	mac.Write([]byte("v0:" + stamp + ":"))
	mac.Write(body)
	if !hmac.Equal([]byte("v0="+hex.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("X-Slack-Signature"))) {
		return errUnsigned
	}
	return nil
}

// Acknowledge implements channel.Channel. For url_verification the response is the challenge.
func (c *Channel) Acknowledge(w http.ResponseWriter, d *channel.Delivery) {
	challenge, _ := d.Answer.(string)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(challenge)) // after an error Slack delivers again
}

// answer has the fields of Slack's responses that the channel reads.
type answer struct {
	OK       bool   `json:"ok"`
	Error    string `json:"error"`
	Messages []struct {
		Metadata struct {
			Payload struct {
				ID string `json:"id"`
			} `json:"event_payload"`
		} `json:"metadata"`
	} `json:"messages"`
}

// refusals are errors of chat.postMessage that no change of the app's settings repairs for this message
// (https://docs.slack.dev/reference/methods/chat.postMessage#errors).
var refusals = map[string]bool{
	"channel_not_found": true, "is_archived": true, "msg_too_long": true, "no_text": true, "invalid_blocks": true,
	"user_not_found": true, "account_inactive": false, "cannot_reply_to_message": true, "message_limit_exceeded": true, "restricted_action": true,
}

// unclear are errors after which the message may have arrived.
var unclear = map[string]bool{"internal_error": true, "fatal_error": true, "request_timeout": true, "service_unavailable": true}

// call returns the answer, also beside the error that it stands for; nil: there is none.
func (c *Channel) call(ctx context.Context, method, url string, body []byte) (*answer, error) {
	header := http.Header{"Authorization": {"Bearer " + c.opts.Token}}
	if body != nil {
		header.Set("Content-Type", "application/json; charset=utf-8")
	}
	status, got, err := c.client.Do(ctx, method, url, header, body)
	if err != nil {
		return nil, err
	}
	var a answer
	if json.Unmarshal(got, &a) != nil {
		return nil, &channel.SendError{Reason: "status_" + strconv.Itoa(status), Unknown: status < 300}
	}
	if !a.OK {
		return &a, &channel.SendError{Reason: code(a.Error), Never: refusals[a.Error], Unknown: unclear[a.Error]}
	}
	return &a, nil
}

// code returns an error code of Slack for the log, if it has the form of one.
func code(word string) string {
	if word == "" || len(word) > 40 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return "refused"
	}
	return word
}
