package llm

import (
	"bytes"
	"encoding/json"
	"io"
)

// none is the answer of a model that finds no intent.
const none = "none"

// The bounds of an answer.
const (
	maxAnswer = 16 << 10 // bytes
	maxGiven  = 32       // params
)

// answer is the unchecked answer of a model.
type answer struct {
	Intent string  `json:"intent"`
	Params []given `json:"params"`
}

// given is a value that a model saw in the message.
type given struct {
	Param string `json:"param"`
	Value scalar `json:"value"`
	Text  string `json:"text"`
}

// scalar is a text, or a number or boolean as it is written.
type scalar string

// UnmarshalJSON accepts any JSON value except objects and lists.
func (s *scalar) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"', '{', '[', 'n': // a text, or what Unmarshal refuses or leaves empty
	default:
		*s = scalar(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(s))
}

// parse reads an answer: one JSON object, with or without a code fence, and nothing else. It
// ignores unknown keys.
func parse(text string) (answer, bool) {
	var a answer
	if len(text) > maxAnswer {
		return a, false
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	var object map[string]json.RawMessage
	if err := d.Decode(&object); err != nil || object["intent"] == nil {
		return a, false
	}
	if _, err := d.Token(); err != io.EOF {
		return a, false
	}
	if json.Unmarshal(object["intent"], &a.Intent) != nil {
		return a, false
	}
	if list := object["params"]; list != nil && json.Unmarshal(list, &a.Params) != nil {
		return a, false
	}
	return a, len(a.Params) <= maxGiven
}
