package slack

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/router/httpapi/channel"
)

var errForm = errors.New("the body does not have the form of a Slack request")

// outer is the envelope of an event.
type outer struct {
	Type      string `json:"type"`
	Challenge string `json:"challenge"`
	TeamID    string `json:"team_id"`
	EventID   string `json:"event_id"`

	Authorizations []struct {
		UserID string `json:"user_id"` // of the app, as it is named
	} `json:"authorizations"`
	Event event `json:"event"`
}

type event struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	ChannelType string `json:"channel_type"`
	BotID       string `json:"bot_id"`
	User        string `json:"user"`
	Channel     string `json:"channel"`
	Text        string `json:"text"`
	TS          string `json:"ts"`
	ThreadTS    string `json:"thread_ts"`
}

// Parse implements channel.Channel.
func (c *Channel) Parse(r *http.Request, body []byte) (channel.Delivery, error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return parseAction(body)
	}
	var o outer
	if err := json.Unmarshal(body, &o); err != nil {
		return channel.Delivery{}, errForm
	}
	switch o.Type {
	case "url_verification":
		return channel.Delivery{Answer: o.Challenge}, nil
	case "event_callback":
		e, ok := o.message()
		if !ok {
			return channel.Delivery{}, nil
		}
		return channel.Delivery{Events: []channel.Event{e}}, nil
	}
	return channel.Delivery{}, nil
}

// message returns the message of a person. It ignores the app's own messages, edits, and messages in a
// channel that do not mention the app.
func (o *outer) message() (channel.Event, bool) {
	e := &o.Event
	direct := e.Type == "message" && e.ChannelType == "im" && (e.Subtype == "" || e.Subtype == "file_share")
	if e.BotID != "" || e.User == "" || !direct && e.Type != "app_mention" {
		return channel.Event{}, false
	}
	text := plain(e.Text)
	if e.Type == "app_mention" {
		text = plain(o.withoutApp(e.Text))
	}
	if text == "" {
		return channel.Event{}, false
	}
	thread := e.ThreadTS
	if thread == "" && !direct {
		thread = e.TS
	}
	return channel.Event{ID: o.EventID, From: address(o.TeamID, e.User, e.Channel, thread), Text: text, Order: micros(e.TS)}, true
}

// withoutApp takes the name of the app out of a text. Other people whom it names stay.
func (o *outer) withoutApp(text string) string {
	for _, a := range o.Authorizations {
		text = strings.ReplaceAll(text, "<@"+a.UserID+">", "")
	}
	return text
}

// address names a conversation: a direct message, or a thread that a person began.
func address(team, user, channelID, thread string) channel.Address {
	a := channel.Address{User: team + "/" + user, Conversation: team + "/" + channelID}
	if thread != "" {
		a.Conversation += "/" + thread + "/" + user // several people may talk to the app in one thread
	}
	return a
}

// place is the inverse of address: where to post a message.
func place(a channel.Address) (channelID, thread string) {
	parts := strings.Split(a.Conversation, "/")
	if len(parts) < 2 {
		return "", ""
	}
	if len(parts) > 2 {
		thread = parts[2]
	}
	return parts[1], thread
}

// micros reads the time of a message, "1355517523.000005". Slack orders messages by it.
func micros(ts string) int64 {
	seconds, fraction, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(seconds+(fraction + "000000")[:6], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// parseAction reads a pressed button.
func parseAction(body []byte) (channel.Delivery, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return channel.Delivery{}, errForm
	}
	var p struct {
		Type string `json:"type"`
		Team struct {
			ID string `json:"id"`
		} `json:"team"`
		User struct {
			ID string `json:"id"`
		} `json:"user"`
		Channel struct {
			ID string `json:"id"`
		} `json:"channel"`
		Container struct {
			ThreadTS string `json:"thread_ts"`
		} `json:"container"`
		TriggerID string `json:"trigger_id"`
		Actions   []struct {
			Value string `json:"value"`
			TS    string `json:"action_ts"`
		} `json:"actions"`
	}
	if err := json.Unmarshal([]byte(form.Get("payload")), &p); err != nil {
		return channel.Delivery{}, errForm
	}
	if p.Type != "block_actions" || len(p.Actions) == 0 || p.Actions[0].Value == "" {
		return channel.Delivery{}, nil
	}
	return channel.Delivery{Events: []channel.Event{{
		ID: p.TriggerID, From: address(p.Team.ID, p.User.ID, p.Channel.ID, p.Container.ThreadTS),
		Value: p.Actions[0].Value, Order: micros(p.Actions[0].TS),
	}}}, nil
}

var links = pattern.Must(`<([^<>|]*)(?:\|([^<>]*))?>`)

// plain returns a text as the person wrote it: Slack writes links, numbers and addresses as
// <mailto:a@b.c|a@b.c>, and escapes three characters.
func plain(text string) string {
	text = links.ReplaceAllStringFunc(text, func(marked string) string {
		target, label, labelled := strings.Cut(marked[1:len(marked)-1], "|")
		if labelled {
			return label
		}
		if scheme, rest, ok := strings.Cut(target, ":"); ok && (scheme == "mailto" || scheme == "tel") {
			return rest
		}
		return strings.TrimLeft(target, "#!")
	})
	return strings.TrimSpace(html.UnescapeString(text))
}
