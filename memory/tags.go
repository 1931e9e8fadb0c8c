package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// TagsKey is the key of a message's metadata that holds its tags, between commas: they are
// stored, encrypted and exported with it.
const TagsKey = "tags"

// MaxTags is how many tags a message has at most, MaxTag how many code points one of them.
const (
	MaxTags = 32
	MaxTag  = 64
)

// MaxImportance is the importance of what must not be forgotten. Most messages have 0.
const MaxImportance = 3

// ErrBadTags: a list of tags is invalid.
var ErrBadTags = errors.New("bad tags")

// Tags returns the tags of a message, in order.
func (m *Message) Tags() []string {
	if m.Metadata[TagsKey] == "" {
		return nil
	}
	return strings.Split(m.Metadata[TagsKey], ",")
}

// HasTags reports whether a message has all of some tags.
func (m *Message) HasTags(tags []string) bool {
	if len(tags) == 0 {
		return true
	}
	own := m.Tags()
	return !slices.ContainsFunc(tags, func(tag string) bool { return !slices.Contains(own, tag) })
}

// CheckTags sorts tags, removes duplicates, and refuses tags that a message cannot have.
func CheckTags(tags []string) ([]string, error) {
	if len(tags) > MaxTags {
		return nil, fmt.Errorf("%w: %d, at most %d are allowed", ErrBadTags, len(tags), MaxTags)
	}
	for _, tag := range tags {
		if tag == "" || utf8.RuneCountInString(tag) > MaxTag || tag != strings.TrimSpace(tag) || !utf8.ValidString(tag) ||
			strings.ContainsFunc(tag, func(r rune) bool { return r == ',' || unicode.IsControl(r) }) {
			return nil, fmt.Errorf("%w: a tag has 1 to %d characters, no comma, and no blank at its ends", ErrBadTags, MaxTag)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(tags))), nil
}

// Tagged returns the metadata of a message with tags that CheckTags has accepted; nil for none.
func Tagged(tags []string) map[string]string {
	if len(tags) == 0 {
		return nil
	}
	return map[string]string{TagsKey: strings.Join(tags, ",")}
}

// Filter selects messages. Zero fields do not select.
type Filter struct {
	Roles         []Role
	Since, Until  time.Time // at or after; before
	Tags          []string  // all of them
	MinImportance int
}

// ParseMoment reads a time of RFC 3339, or a day as 2006-01-02, which is its beginning in UTC.
func ParseMoment(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, nil
	}
	return time.Parse(time.RFC3339, text)
}

// Any reports whether the filter selects every message.
func (f *Filter) Any() bool {
	return len(f.Roles) == 0 && f.Since.IsZero() && f.Until.IsZero() && len(f.Tags) == 0 && f.MinImportance <= 0
}

// Passes reports whether the filter selects a message.
func (f *Filter) Passes(m *Message) bool {
	return (len(f.Roles) == 0 || slices.Contains(f.Roles, m.Role)) &&
		(f.Since.IsZero() || !m.Timestamp.Before(f.Since)) && (f.Until.IsZero() || m.Timestamp.Before(f.Until)) &&
		m.HasTags(f.Tags) && m.Importance >= f.MinImportance
}

// filterPage is how many messages are read at once to find those that a filter selects.
const filterPage = 200

// Of reads the messages of a page that the filter selects: the limit counts only those.
func (f *Filter) Of(ctx context.Context, read func(context.Context, Key, Page) ([]Message, error), key Key, page Page) ([]Message, error) {
	var out []Message
	limit, next := page.Limit, Page{After: page.After, Limit: filterPage, Inactive: page.Inactive}
	for {
		list, err := read(ctx, key, next)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return out, nil
		}
		next.After = list[len(list)-1].Seq
		out = append(out, slices.DeleteFunc(list, func(m Message) bool { return !f.Passes(&m) })...)
		switch over := len(out) - limit; {
		case limit <= 0 || over < 0:
		case page.Last:
			out = out[over:]
		default:
			return out[:limit], nil
		}
	}
}
