package recall

import "encoding/binary"

// postings lists the messages that contain a term, in ascending order. Each is stored as the
// distance from the one before, shifted by two; the low bits hold the number of occurrences less
// one, and 3 means that the number follows.
type postings struct {
	data []byte
	last uint32 // the newest message, plus one
	docs uint32
}

// maxOccur is the most occurrences of a term that count in one message.
const maxOccur = 255

// add appends a message; doc is greater than every one before it.
func (p *postings) add(doc uint32, occur int) {
	occur = min(occur, maxOccur)
	low := uint64(min(occur-1, 3))
	p.data = binary.AppendUvarint(p.data, uint64(doc+1-p.last)<<2|low)
	if low == 3 {
		p.data = append(p.data, byte(occur))
	}
	p.last = doc + 1
	p.docs++
}

// cursor walks a list.
type cursor struct {
	data  []byte
	doc   uint32 // valid after next
	occur uint32
	after uint32
}

func (p *postings) cursor() cursor { return cursor{data: p.data} }

func (c *cursor) next() bool {
	if len(c.data) == 0 {
		return false
	}
	v, n := uint32(c.data[0]), 1
	if v >= 0x80 {
		u, size := binary.Uvarint(c.data)
		v, n = uint32(u), size
	}
	c.occur = v&3 + 1
	if c.occur == 4 {
		c.occur = uint32(c.data[n])
		n++
	}
	c.data = c.data[n:]
	c.after += v >> 2
	c.doc = c.after - 1
	return true
}
