package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Limits of a result: a larger one is refused rather than cut, since half an answer is a wrong
// answer.
const (
	maxDepth = 64
	// MaxResult limits a result, in bytes of JSON.
	MaxResult = 1 << 20
	// maxExact is the limit below which float64 holds every whole number exactly.
	maxExact = 1 << 53
)

var (
	errTooDeep   = fmt.Errorf("nested deeper than %d", maxDepth)
	errTooBig    = fmt.Errorf("larger than %d bytes", MaxResult)
	errNotFinite = errors.New("a number that is not finite")
	errNoJSON    = errors.New("a value that has no JSON form")
)

// Normal returns v in JSON-normal form: nil, bool, float64, string, []any and map[string]any. Whole
// numbers beyond 2^53 and []byte become strings, times RFC 3339; anything else takes the form of
// encoding/json. The result shares nothing with v. The error names no value.
func Normal(v any) (any, error) {
	n := normalizer{left: MaxResult}
	return n.value(v, 0)
}

// DecodeJSON decodes one JSON document in JSON-normal form; trailing content is an error.
func DecodeJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, errNoJSON // encoding/json quotes its input
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errNoJSON
	}
	return Normal(v)
}

type normalizer struct {
	left int // bytes left for the result
}

func (n *normalizer) spend(size int) error {
	if n.left -= size; n.left < 0 {
		return errTooBig
	}
	return nil
}

func (n *normalizer) value(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	switch v := v.(type) {
	case nil:
		return nil, n.spend(4)
	case bool:
		return v, n.spend(5)
	case string:
		return n.text(v)
	case []byte:
		return n.text(string(v))
	case time.Time:
		return n.text(v.Format(time.RFC3339Nano))
	case []any:
		return n.list(v, depth)
	case map[string]any:
		return n.object(v, depth)
	case json.Number:
		return n.number(v)
	}
	if f, whole, ok := numeric(v); ok {
		if whole != "" {
			return n.text(whole)
		}
		return n.float(f)
	}
	return n.foreign(v, depth)
}

// numeric reads Go's number types; it returns whole instead of f for a number that float64 cannot
// hold exactly.
func numeric(v any) (f float64, whole string, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, "", true
	case float32:
		return float64(v), "", true
	case int:
		return signed(int64(v))
	case int64:
		return signed(v)
	case int32:
		return signed(int64(v))
	case int16:
		return signed(int64(v))
	case int8:
		return signed(int64(v))
	case uint:
		return unsigned(uint64(v))
	case uint64:
		return unsigned(v)
	case uint32:
		return unsigned(uint64(v))
	case uint16:
		return unsigned(uint64(v))
	case uint8:
		return unsigned(uint64(v))
	}
	return 0, "", false
}

func signed(i int64) (float64, string, bool) {
	if i > maxExact || i < -maxExact {
		return 0, strconv.FormatInt(i, 10), true
	}
	return float64(i), "", true
}

func unsigned(u uint64) (float64, string, bool) {
	if u > maxExact {
		return 0, strconv.FormatUint(u, 10), true
	}
	return float64(u), "", true
}

func (n *normalizer) float(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errNotFinite
	}
	return f, n.spend(8)
}

// number keeps the digits of a whole number that float64 would round.
func (n *normalizer) number(v json.Number) (any, error) {
	if !strings.ContainsAny(string(v), ".eE") {
		i, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil || i > maxExact || i < -maxExact {
			return n.text(string(v))
		}
		return n.float(float64(i))
	}
	f, err := v.Float64()
	if err != nil {
		return nil, errNotFinite
	}
	return n.float(f)
}

// text replaces invalid UTF-8, which JSON cannot carry.
func (n *normalizer) text(s string) (any, error) {
	if err := n.spend(len(s) + 2); err != nil {
		return nil, err
	}
	return strings.ToValidUTF8(s, "\uFFFD"), nil
}

func (n *normalizer) list(v []any, depth int) (any, error) {
	if err := n.spend(2 + len(v)); err != nil {
		return nil, err
	}
	out := make([]any, len(v))
	for i, e := range v {
		var err error
		if out[i], err = n.value(e, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (n *normalizer) object(v map[string]any, depth int) (any, error) {
	if err := n.spend(2); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(v))
	for k, e := range v {
		if err := n.spend(len(k) + 4); err != nil {
			return nil, err
		}
		value, err := n.value(e, depth+1)
		if err != nil {
			return nil, err
		}
		out[strings.ToValidUTF8(k, "\uFFFD")] = value
	}
	return out, nil
}

// foreign converts structs, typed slices and maps, and json.Marshaler by way of JSON.
func (n *normalizer) foreign(v any, depth int) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, errNoJSON // the text of json's error may quote a value
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, errNoJSON
	}
	return n.value(out, depth)
}
