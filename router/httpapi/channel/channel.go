package channel

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// Channel is a messaging platform. It is safe for concurrent use.
type Channel interface {
	// Traits returns the traits of the platform, which never change.
	Traits() Traits
	// Verify returns an error unless the platform has signed the request.
	Verify(r *http.Request, body []byte, now time.Time) error
	// Parse returns the events of a verified request. It leaves out those that no agent reads, such
	// as a sticker. An error means that the platform does not send such a request.
	Parse(r *http.Request, body []byte) (Delivery, error)
	// Acknowledge answers a request whose events are stored.
	Acknowledge(w http.ResponseWriter, d *Delivery)
	// Send sends a message. Its errors are *SendError.
	Send(ctx context.Context, to Address, m *Message) error
}

// Traits describe a platform.
type Traits struct {
	Name      string     // in the path of its route, and before the ids of its users and sessions
	MaxText   int        // of one message, in UTF-16 units, more than 1; longer texts are sent in parts
	PerSecond rate.Limit // messages that it takes from one account, more than 0
}

// Address is a conversation on a platform.
type Address struct {
	User         string // owner of the memory
	Conversation string // unique within the platform. Logs may show it, so it must not identify the person
}

// Delivery has the contents of one request.
type Delivery struct {
	Events []Event
	Answer any // for Acknowledge of the same channel
}

// Event is a message of a person.
type Event struct {
	ID    string  `json:"id"` // the same in every delivery of the message
	From  Address `json:"from"`
	Text  string  `json:"text,omitempty"`
	Value string  `json:"value,omitempty"` // instead of Text: the value of the chosen option
	Order int64   `json:"order,omitempty"` // rises within the conversation; 0: the platform does not number messages
}

// Message is a message of the agent, or a part of one.
type Message struct {
	ID      string // the same in each attempt to send it, different for each part in a conversation
	Text    string
	Options []Option // answers that the person can choose

	// Tried is the beginning of an earlier attempt that got no response: the person may have the
	// message already. Zero: there was none. A channel looks first if its platform allows that.
	// Otherwise it sends again: two equal messages help a person more than none.
	Tried time.Time
}

// Option is an answer that can be chosen.
type Option struct {
	Title string // shown to the person
	Value string // for Event.Value; at most 64 bytes of ASCII
}

// SendError says why a message was not sent. It quotes neither the request nor the response, so that
// addresses and credentials stay out of logs.
type SendError struct {
	Reason  string        // a code such as "rate_limited"
	After   time.Duration // shortest pause before the next attempt; 0: the platform does not say
	Never   bool          // the platform refuses this message for good
	Unknown bool          // the message may have been sent
}

// Error implements error.
func (e *SendError) Error() string { return "send: " + e.Reason }

// Code names the failure for the log of jobs.
func (e *SendError) Code() string { return e.Reason }

// RetryAfter is the shortest pause of the job.
func (e *SendError) RetryAfter() time.Duration { return e.After }
