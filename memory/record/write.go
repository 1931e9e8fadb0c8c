package record

import (
	"maps"
	"math"
	"slices"
	"strconv"
)

// The params of a state are encoded with every turn. What is usual in
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
	buf := []byte{'{'}
	for name, text := range m {
		var err error
		if buf, err = appendText(buf, name); err != nil {
			return "", err
		}
		if buf, err = appendText(append(buf, ':'), text); err != nil {
			return "", err
		}
	}
	return string(append(buf, '}')), nil
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
