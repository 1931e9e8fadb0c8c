package record

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// The params of a state and the state after a turn are encoded with every turn. What is usual in
// them is written here, in the same bytes as encoding/json writes, without its reflection, which
// allocates for each value of a map.

// appendValue encodes a value.
func appendValue(buf []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(buf, "null"...), nil
	case bool:
		return strconv.AppendBool(buf, v), nil
	case string:
		return appendText(buf, v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 && (v != 0 || !math.Signbit(v)) {
			return strconv.AppendInt(buf, int64(v), 10), nil
		}
	case map[string]any:
		if v != nil {
			return appendMap(buf, v)
		}
	case []any:
		if v != nil {
			return appendList(buf, v)
		}
	}
	text, err := JSON(v)
	return append(buf, text...), err
}

func appendMap(buf []byte, m map[string]any) (_ []byte, err error) {
	var few [8]string
	names := slices.AppendSeq(few[:0], maps.Keys(m))
	slices.Sort(names)
	buf = append(buf, '{')
	for i, name := range names {
		if i > 0 {
			buf = append(buf, ',')
		}
		if buf, err = appendText(buf, name); err != nil {
			return buf, err
		}
		if buf, err = appendValue(append(buf, ':'), m[name]); err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

// texts encodes a map of texts.
func texts(m map[string]string) (string, error) {
	if len(m) > 1 {
		return JSON(m)
	}
	w := writer{buf: make([]byte, 0, 128)}
	w.raw("{")
	for name, text := range m {
		if w.buf, w.err = appendText(w.buf, name); w.err != nil {
			return "", w.err
		}
		if w.buf, w.err = appendText(w.raw(":").buf, text); w.err != nil {
			return "", w.err
		}
	}
	return string(w.raw("}").buf), nil
}

func appendList(buf []byte, list []any) (_ []byte, err error) {
	buf = append(buf, '[')
	for i, v := range list {
		if i > 0 {
			buf = append(buf, ',')
		}
		if buf, err = appendValue(buf, v); err != nil {
			return buf, err
		}
	}
	return append(buf, ']'), nil
}

// appendText leaves what must be escaped, and what is not ASCII, to encoding/json.
func appendText(buf []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			escaped, err := JSON(text)
			return append(buf, escaped...), err
		}
	}
	buf = append(buf, '"')
	buf = append(buf, text...)
	return append(buf, '"'), nil
}

// writer writes the fields of an object, one after the other.
type writer struct {
	buf []byte
	err error
}

func (w *writer) raw(text string) *writer {
	w.buf = append(w.buf, text...)
	return w
}

// name begins a field.
func (w *writer) name(name string) *writer {
	if w.buf[len(w.buf)-1] != '{' {
		w.raw(",")
	}
	return w.raw(`"`).raw(name).raw(`":`)
}

func (w *writer) number(name string, n int64) *writer {
	w.name(name).buf = strconv.AppendInt(w.buf, n, 10)
	return w
}

// text leaves out an empty one.
func (w *writer) text(name, text string) *writer {
	if text == "" || w.err != nil {
		return w
	}
	w.buf, w.err = appendText(w.name(name).buf, text)
	return w
}

// part leaves out an empty one.
func (w *writer) part(name string, part json.RawMessage) *writer {
	if len(part) > 0 {
		w.name(name).buf = append(w.buf, part...)
	}
	return w
}
