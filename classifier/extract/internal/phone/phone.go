// Package phone finds telephone numbers and writes them in E.164.
package phone

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// A telephone number that its region knows is surer than one that is only written like
// one. A param takes plain digits that no region has only as the answer to its question.
const (
	validPhone    = 0.95
	possiblePhone = 0.8
	groupedPhone  = 0.7
	announced     = 0.65 // what "my phone number is" stands before
	localPhone    = 0.6  // 555-1234 or 07911 123456, and the agent has a param for it
	asDigits      = 0.5  // a plain run of digits, and asked for
)

const (
	leastPhone = 6
	// mostLookups bounds what a message of nothing but digits costs: a look-up in the
	// numbering plans takes longer than all the rest of a message.
	mostLookups = 24
	mostPhone   = 15 // ITU-T E.164
)

// Dialer finds the telephone numbers of one message.
type Dialer struct {
	Region  string // ISO 3166 country of national numbers
	Asked   bool   // a telephone number is asked for
	Local   bool   // some param holds one, so that one without its area may be meant
	lookups int
}

// Phones appends the telephone numbers of the message. The value is E.164 with an
// extension behind ";ext=" (RFC 3966); where no region has such a number it is the digits
// as they were dialled. Numbers of orders, accounts and cards, dates, amounts, social
// security numbers and addresses of computers are none.
func (d *Dialer) Phones(s *message.Message, taken, into []find.Span) []find.Span {
	text := s.Text
	if message.CountDigits(text) < leastPhone {
		return into
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c != '+' && c != '(' && (c < '0' || c > '9') {
			i++
			continue
		}
		run := dial(text, i)
		if run.digits < leastPhone {
			i = max(i+1, run.firstEnd)
			continue
		}
		end := d.phoneAt(s, &run, taken, &into)
		i = max(end, run.firstEnd, i+1)
	}
	return into
}

// phoneAt adds the longest part of a run of digit groups that is a telephone number and
// returns where it ends, or 0. A number that is spoken digit by digit is taken whole or not
// at all.
func (d *Dialer) phoneAt(s *message.Message, run *dialled, taken []find.Span, into *[]find.Span) int {
	text := s.Text
	if !openPhone(text, run) {
		return run.end() // the rest of a longer word
	}
	cue := cueBefore(s, run.start)
	for n := run.count; n > 0; n-- {
		p := run.head(text, n)
		if run.even(n) || p.digits < leastPhone || p.digits > mostPhone+2 || !closePhone(text, p.end) || find.Overlaps(taken, p.start, p.end) {
			continue
		}
		if cue != callCue && p.isDateOrCount(s) || p.isOther() {
			return p.end
		}
		if d.lookups++; d.lookups > mostLookups {
			return run.end()
		}
		confidence := p.judge(d.Region, cue, d.Asked)
		if confidence == 0 && d.Local && (p.local() || p.trunk()) && cue != idCue && s.EndsTerm(s.Behind(p.start), "number_noun") == 0 {
			confidence = localPhone
		}
		if confidence == 0 {
			continue
		}
		*into = append(*into, find.Span{Kind: "phone", Start: p.start, End: p.end, Value: p.value, Confidence: confidence})
		return p.end
	}
	return run.evenEnd()
}

// isDateOrCount reports whether digits without an announcing word are a date after a month, "jan 1-15
// 2017", or one big number where a number is asked for.
func (p *phoneNumber) isDateOrCount(s *message.Message) bool {
	return s.Language.Holds(before(s, p.start), "month") && !p.international && !p.bracket || numbers.Numeric[s.Asked] && p.inThrees()
}

// inThrees reports whether the digits are written as one big number: 1 234 567.
func (p *phoneNumber) inThrees() bool {
	if p.international || p.bracket || p.ext != "" || p.groups < 2 || p.lens[0] > 3 || p.dial[0] == '0' {
		return false
	}
	for i := 1; i < p.groups; i++ {
		if p.lens[i] != 3 || p.separators[i] != " " {
			return false
		}
	}
	return true
}

// judge returns the confidence that the digits are a telephone number, 0 for none.
func (p *phoneNumber) judge(region string, cue phoneCue, asked bool) float64 {
	said, marked := cue == callCue || asked, p.international || p.bracket
	if cue == idCue && !marked && !asked {
		return 0
	}
	confidence := p.parse(region)
	switch {
	case p.tooShort(cue) && !asked:
		return 0
	case confidence == validPhone && (p.groups > 1 || p.international || said || p.digits >= 10):
		return confidence
	case p.digits > mostPhone || p.national() < leastPhone && !p.international:
		return 0
	}
	if sure := p.byGroups(confidence, said); sure > 0 {
		return sure
	}
	switch {
	case cue == callCue:
		return announced
	case asked:
		return asDigits
	}
	return 0
}

// byGroups returns how sure a number is by the way in which it is written.
func (p *phoneNumber) byGroups(confidence float64, said bool) float64 {
	marked := p.international || p.bracket || p.classic()
	switch {
	case p.digits < 7:
		return 0
	case confidence > 0 && (marked || p.native || p.groups >= 3):
		return possiblePhone
	case marked || said && p.groups >= 3 && p.digits >= 9:
		return groupedPhone
	}
	return 0
}

// tooShort reports whether the digits are too few for a number, unless words announce it and it
// begins as one within a country.
func (p *phoneNumber) tooShort(cue phoneCue) bool {
	return p.digits < 7 && !p.international && (cue != callCue || p.groups > 1 || p.dial[0] != '0')
}

// local reports whether the digits are written as a number within its town: 555-1234.
func (p *phoneNumber) local() bool {
	return p.groups == 2 && p.lens[0] == 3 && p.lens[1] == 4 && p.separators[1] != " " && p.dial[0] > '1'
}

// trunk reports whether the digits begin as a call from town to town does and are as many:
// 07911 123456, which only a telephone number is, in whatever country.
func (p *phoneNumber) trunk() bool {
	return p.groups > 1 && p.dial[0] == '0' && p.digits >= 9 && p.digits <= 12
}

// before is the word before byte start, "" for none.
func before(s *message.Message, start int) string { return s.Low(s.Behind(start) - 1) }

// parse fills the value, and returns how sure the numbering plan of the region is. A number gets
// the country's code only where it was said, where the plan knows the number, or where it is
// written as the region writes its own; else it stays as it was dialled.
func (p *phoneNumber) parse(region string) float64 {
	dial := p.dial
	if strings.HasPrefix(dial, "00") {
		dial = "+" + dial[2:] // the international prefix of most countries
	}
	p.value = p.dial + p.extension()
	number, err := phonenumbers.Parse(dial, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return 0
	}
	valid := phonenumbers.IsValidNumber(number)
	if !valid && phonenumbers.IsPossibleNumberWithReason(number) == phonenumbers.IS_POSSIBLE_LOCAL_ONLY {
		return possiblePhone // the area is not known: no E.164
	}
	p.native = !p.international && p.groups > 1 && p.writtenLike(phonenumbers.Format(number, phonenumbers.NATIONAL))
	if valid || p.native || p.international {
		p.value = phonenumbers.Format(number, phonenumbers.E164) + p.extension()
	}
	if valid {
		return validPhone
	}
	return possiblePhone
}

// writtenLike reports whether the digits are grouped as in a number that its country writes. A
// code of the country, or its trunk prefix, may stand before them.
func (p *phoneNumber) writtenLike(national string) bool {
	groups := strings.FieldsFunc(national, func(r rune) bool { return r < '0' || r > '9' })
	skip := p.groups - len(groups)
	if skip < 0 || skip > 1 {
		return false
	}
	for k, g := range groups {
		if len(g) != p.lens[skip+k] {
			return false
		}
	}
	return true
}

func (p *phoneNumber) extension() string {
	if p.ext == "" {
		return ""
	}
	return ";ext=" + p.ext
}

// phoneCue is the kind of number that the words before digits announce.
type phoneCue uint8

const (
	noCue phoneCue = iota
	callCue
	idCue
)

// cueBefore looks at up to eight words before byte start: the nearest noun of either kind
// decides. "These are not phone numbers" announces none.
func cueBefore(s *message.Message, start int) phoneCue {
	i := s.Behind(start)
	near := true
	for k := i - 1; k >= 0 && k >= i-9; k-- {
		w := s.Tokens[k].Low
		switch {
		case s.IsTerm(k, "call_noun"):
			if denied(s, k) {
				return idCue
			}
			return callCue
		case near && s.IsTerm(k, "id_noun"):
			return idCue
		case s.Tokens[k].Class == message.Symbol && strings.Contains(".!?", w) && k < i-1:
			return noCue
		case s.Tokens[k].Class == message.Letters && !s.IsTerm(k, "id_link"):
			near = false
		}
	}
	return noCue
}

// denied reports whether one of the three words before token i is a not.
func denied(s *message.Message, i int) bool {
	return s.IsTerm(i-1, "negation") || s.IsTerm(i-2, "negation") || s.IsTerm(i-3, "negation")
}
