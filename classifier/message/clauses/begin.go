package clauses

// begins reports whether a clause can begin at token i: a question, a subject with its
// verb, an order.
func (s *splitter) begins(i int) bool {
	if i >= len(s.tokens) {
		return false
	}
	t := &s.tokens[i]
	if t.class == 0 {
		return false
	}
	alone := i+1 >= len(s.tokens) || t.after != 0
	if alone {
		return t.class&isWh != 0 && t.after == '?'
	}
	next := &s.tokens[i+1]
	switch c := t.class; {
	case s.whyNot(i):
		return false
	case c&(isWh|isShort) != 0:
		return true
	case c&isAux != 0:
		return next.class&(isPlace|isJoin|isTurn) == 0
	case c&isModal != 0:
		return next.class&(isPronoun|isPoint|isOwner|isObject) != 0 || next.key == "someone" || next.key == "anyone"
	case t.key == "please":
		return next.class&(isOrder|isOrderOf) != 0 || next.key == "dont" || next.key == "do"
	case c&isPronoun != 0:
		return next.class&(isJoin|isTurn|isPlace) == 0
	}
	return s.orders(t, next, i) || s.subject(i)
}

// orders reports whether a token is a verb in an order. One that is a noun as well needs
// an object or a code near it: "order it", "track order O-2", but "silk, book and pen".
func (s *splitter) orders(t, next *token, i int) bool {
	switch {
	case next.class&(isJoin|isTurn) != 0:
		return false
	case t.class&isOrderOf != 0:
		if next.class&isObject != 0 && next.class&isPlace == 0 || next.digit && t.class&isOrder != 0 && !names[t.key] {
			return true
		}
		return next.after == 0 && i+2 < len(s.tokens) && next.class == isOrderOf && s.tokens[i+2].digit
	}
	return t.class&isOrder != 0
}

// names lists the verbs that name a number when they stand before it: "phone 555-0199".
var names = lists.Set("names a number")

const subjectWords = 4 // words before the verb of "my new street is Pine"

// subject reports whether a noun with its verb begins at token i: "my speaker is broken".
func (s *splitter) subject(i int) bool {
	t := &s.tokens[i]
	if t.class&(isOwner|isPoint) == 0 {
		return false
	}
	for n := 0; n <= subjectWords && i+n+1 < len(s.tokens); n++ {
		if s.tokens[i+n].after != 0 {
			return false
		}
		next := &s.tokens[i+n+1]
		switch {
		case next.class&(isAux|isModal) != 0 && i+n+2 < len(s.tokens):
			return true
		case next.class&(isJoin|isTurn|isWh) != 0:
			return false
		}
	}
	return false
}

const saidWords = 6 // words of the longest "ok thank you so much"

// said reports whether the tokens are only a phrase that can stand alone: "yes", "no thanks", "hi
// there", "sorry".
func (s *splitter) said(from, to int) bool {
	if to-from > saidWords || to <= from {
		return false
	}
	core := false
	for i := from; i < to; i++ {
		t := &s.tokens[i]
		switch {
		case t.class&isSay != 0:
			core = true
		case t.class&(isSoft|isFiller) == 0 && t.class&isJoin == 0:
			return false
		}
	}
	return core
}

// fillers reports whether the tokens are only um and well.
func (s *splitter) fillers(from, to int) bool {
	for i := from; i < to; i++ {
		if s.tokens[i].class&isFiller == 0 && s.tokens[i].class&isJoin == 0 {
			return false
		}
	}
	return true
}

// saidNext reports whether token i begins a phrase that can stand alone and is no part of an
// enumeration: "large, no onions".
func (s *splitter) saidNext(i int) bool {
	if i >= len(s.tokens) || s.tokens[i].class&isSay == 0 {
		return false
	}
	t := &s.tokens[i]
	if t.after != 0 || i+1 >= len(s.tokens) {
		return true
	}
	next := &s.tokens[i+1]
	switch {
	case sayBefore[t.key]:
		return next.class&isSay != 0 || s.begins(i+1)
	case sayAlone[t.key]:
		return true
	}
	return next.class&(isSay|isSoft) != 0 || s.begins(i+1)
}

// sayBefore are words that are said for themselves before a clause alone, sayAlone before anything.
var (
	sayBefore = lists.Set("say before a clause")
	sayAlone  = lists.Set("say alone")
)

// answerWords begin an answer, and greetingWords a greeting that may stand before one without a
// mark: "hi yes", "good morning hold on".
var (
	answerWords   = lists.Set("answer opens")
	greetingWords = lists.Set("greeting")
)

// greetsFirst reports whether a greeting ends before token i, where an answer begins.
func (s *splitter) greetsFirst(i int) bool {
	return s.tokens[i-1].key != "not" && answerWords[s.tokens[i].key] && greetingWords[s.tokens[s.from].key] && s.said(s.from, i)
}

// closing reports whether only a courtesy follows up to the next hard end: "no, thanks", "yes,
// please". It belongs to the words before it, unless it answers and they do not: "thanks, yes
// please".
func (s *splitter) closing(i int) bool {
	if i < len(s.tokens) && answers[s.tokens[i].key] && !answers[s.tokens[s.from].key] {
		return false
	}
	for n := i; n < len(s.tokens) && n-i <= 3; n++ {
		t := &s.tokens[n]
		if t.class&(isSay|isSoft|isFiller) == 0 || t.class&isWh != 0 {
			return false
		}
		if t.after != 0 && t.after != '-' || n == len(s.tokens)-1 {
			return s.said(i, n+1) || s.fillers(i, n+1)
		}
	}
	return false
}

// answers are the words that answer a question, where others of their class greet or thank.
var answers = lists.Set("answers")

// shortAnswer reports whether the rest up to the next mark answers with a verb alone:
// "yes I do", "no it isn't", "ok do it".
func (s *splitter) shortAnswer(i int) bool {
	for n := i; n < len(s.tokens) && n-i < 3; n++ {
		t := &s.tokens[n]
		if t.class&(isPronoun|isAux|isModal|isShort|isPoint) == 0 && t.class&isSoft == 0 {
			return false
		}
		if t.after != 0 || n == len(s.tokens)-1 {
			return true
		}
	}
	return false
}

// whyNot reports whether nothing but "why not" follows, which makes a yes no weaker.
func (s *splitter) whyNot(i int) bool {
	return i+1 < len(s.tokens) && s.tokens[i].key == "why" && s.tokens[i+1].key == "not" &&
		(i+2 == len(s.tokens) || s.tokens[i+1].after != 0)
}
