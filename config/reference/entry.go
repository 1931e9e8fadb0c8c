package reference

import "strings"

// Area is one part of the reference, such as the keys of settings.
type Area struct {
	Name    string // first element of its keys; "agent" for the keys of an agent's file, which have none
	Title   string
	Intro   string // Markdown: paragraphs
	Entries []*Entry
}

// Entry explains one key.
type Entry struct {
	Key      string    `json:"key"` // the whole path, such as intents.plan.call
	Area     string    `json:"area"`
	Type     string    `json:"type,omitempty"`
	Meaning  string    `json:"meaning"`
	Required bool      `json:"required,omitempty"`
	Default  string    `json:"default,omitempty"`
	Allowed  []Value   `json:"allowed,omitempty"`
	Limits   string    `json:"limits,omitempty"`
	Also     []Fact    `json:"also,omitempty"`    // other facts that the owner of the key knows
	Example  string    `json:"example,omitempty"` // as it is written in the file that has the key
	Gives    []Example `json:"gives,omitempty"`   // examples with their results
	See      []string  `json:"see,omitempty"`     // keys that matter too
	From     string    `json:"from,omitempty"`    // the key whose text this is, because its group takes the keys of another
	Same     string    `json:"same,omitempty"`    // the key whose keys are allowed here too
	Named    bool      `json:"named,omitempty"`   // between this key and the keys below it stands a name
	Listed   bool      `json:"listed,omitempty"`  // the key has a list, and the keys below it are of its items
}

// Value is one allowed value.
type Value struct {
	Value   string `json:"value"`
	Meaning string `json:"meaning,omitempty"`
}

// Fact is one named fact, such as the environment variable of a setting.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Example pairs a text with its result.
type Example struct {
	Text string `json:"text"`
	Is   string `json:"is"`
}

// Short returns the first sentence of the meaning.
func (e *Entry) Short() string {
	if first, _, ok := strings.Cut(e.Meaning, ". "); ok {
		return first + "."
	}
	return e.Meaning
}

// Last returns the last element of the key.
func (e *Entry) Last() string { return last(e.Key) }

func last(key string) string {
	if i := strings.LastIndex(strings.TrimRight(key, "."), "."); i >= 0 {
		return key[i+1:]
	}
	return key
}

// parent returns the path above a key; "" for a top-level key.
func parent(key string) string {
	return strings.TrimSuffix(strings.TrimSuffix(key, last(key)), ".")
}
