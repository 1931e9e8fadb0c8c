package encrypted

import (
	"encoding/binary"
	"strconv"
)

// pack writes texts one behind the other, each behind its length.
func pack(fields ...string) []byte {
	var b []byte
	for _, f := range fields {
		b = append(binary.AppendUvarint(b, uint64(len(f))), f...)
	}
	return b
}

// unpack reads what pack wrote, and nothing else.
func unpack(b []byte, fields ...*string) bool {
	for _, f := range fields {
		n, used := binary.Uvarint(b)
		if used <= 0 || n > uint64(len(b)-used) {
			return false
		}
		*f, b = string(b[used:used+int(n)]), b[used+int(n):]
	}
	return len(b) == 0
}

// additionalData builds the additional data of a value: the kind of its row, and all of the row
// that stays readable. No two rows of a session have the same.
func additionalData(kind string, parts ...any) string {
	b := append([]byte(kind), ' ')
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = strconv.AppendQuote(b, p)
		case int64:
			b = append(strconv.AppendInt(b, p, 10), ' ')
		case int:
			b = append(strconv.AppendInt(b, int64(p), 10), ' ')
		}
	}
	return string(b)
}
