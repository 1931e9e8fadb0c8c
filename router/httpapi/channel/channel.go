package channel

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// Channel is a messaging platform. It is safe for concurrent use.
type Channel interface {
	// Traits returns what the hub must know of the platform. They never change.
	Traits() Traits
	// Verify returns an error unless the platform has signed the request.
	Verify(r *http.Request, body []byte, now time.Time) error
	// Parse returns what a verified request delivers. An error means that the platform does not
	// send such a request; what it sends and no agent reads, such as a sticker, is no event.
	Parse(r *http.Request, body []byte) (Delivery, error)
	// Acknowledge answers a request whose events are stored.
	Acknowledge(w http.ResponseWriter, d *Delivery)
	// Send says a message. Its errors are *SendError.
	Send(ctx context.Context, to Address, m *Message) error
}

// Traits describe a platform.
type Traits struct {
	Name      string     // in the path of its route, and before the ids of its users and sessions
	MaxText   int        // of one message, in UTF-16 units; longer texts are sent in parts
	PerSecond rate.Limit // messages that it takes from one account
}

// Address is a conversation on a platform.
type Address struct {
	User         string // whose memory it is
	Conversation string // unique within the platform. It may be logged, so it must not say who the person is
}

// Delivery is what one request delivers.
type Delivery struct {
	Events []Event
	Answer any // the channel's own, for Acknowledge
}

// Event is a message of a person.
type Event struct {
	ID    string  `json:"id"` // the same in every delivery of the message
	From  Address `json:"from"`
	Text  string  `json:"text,omitempty"`
	Value string  `json:"value,omitempty"` // instead of Text: the value of the option that was chosen
	Order int64   `json:"order,omitempty"` // rises within the conversation; 0: the platform gives none
}

// Message is a message of the agent, or a part of one.
type Message struct {
	ID      string // the same in each attempt to send it, different for each part of a conversation
	Text    string
	Options []Option // what a person may choose as an answer

	// Tried is when an attempt to send it began that ended without an answer, so that the person may
	// have it already; zero: there was none. A channel that can find out looks first. All others
	// say it again: a person can make more of two equal messages than of none.
	Tried time.Time
}

// Option is an answer that can be chosen.
type Option struct {
	Title string // what is shown
	Value string // for Event.Value; at most 64 bytes of ASCII
}

// SendError says why a message was not sent. It quotes nothing: addresses and credentials stay out
// of logs.
type SendError struct {
	Reason  string        // a code such as "rate_limited"
	After   time.Duration // not to be sent again before; 0: the platform does not say
	Never   bool          // the platform will not take this message
	Unknown bool          // the message may have been sent
}

// Error implements error.
func (e *SendError) Error() string { return "send: " + e.Reason }

// Code names the failure for the log of jobs.
func (e *SendError) Code() string { return e.Reason }

// RetryAfter is how long a job waits at least.
func (e *SendError) RetryAfter() time.Duration { return e.After }
