// Package scan cuts a message into tokens and answers what stands at each of them. Every room
// of the extractor reads a message through [Message]; the words of another language are its
// [Language].
package scan

// Message is a message under recognition, with what was asked before it. Rooms read it by token;
// what lies outside of it, or belongs to something that was found already, reads as "".
type Message struct {
	Text   string
	Tokens []Token
	Taken  []bool // tokens inside a pattern, an address or the like
	Exact  []bool // tokens of what a built-in type found
	Bytes  ByteSet

	Asked    string                 // built-in type of the open question, "" for none
	Only     string                 // the one built-in type that is looked for, "" for all
	Several  bool                   // the asked param takes many values
	Currency string                 // ISO 4217 code that a bare "dollar" means where it may
	Knows    func(word string) bool // common words of the language; nil: nobody says

	Tongue *Language // the language where it is not English
	Terms  [][]Term  // by token, what may begin with it; nil in English
}

// New returns a message in a language; nil is English.
func New(text, asked string, in *Language) *Message {
	s := &Message{}
	s.Reset(text, asked, in)
	return s
}

// Reset makes s another message; what it allocated is used again.
func (s *Message) Reset(text, asked string, in *Language) {
	tokens, taken, exact := Tokenize(text, s.Tokens[:0]), s.Taken[:0], s.Exact[:0]
	for range tokens {
		taken, exact = append(taken, false), append(exact, false)
	}
	*s = Message{Text: text, Asked: asked, Tokens: tokens, Taken: taken, Exact: exact, Bytes: BytesOf(text), Tongue: in, Terms: s.Terms[:0]}
	if in == nil {
		return
	}
	s.CutElided()
	for k := range s.Tokens {
		s.Terms = append(s.Terms, in.Words[s.Tokens[k].Low])
	}
}
