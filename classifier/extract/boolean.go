package extract

import (
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/enum"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

var (
	// neitherPhrases lists phrases that begin like a yes or no and are none.
	neitherPhrases = message.Split("not sure,not certain,not so sure,not too sure,i'm not sure,im not sure,i am not sure,i'm not certain,i'm not so sure,i don't know,i dont know,i do not know,don't know,dont know,i don't remember,i do not remember,i don't recall,i don't understand,i do not understand,i don't get it,i don't care,i don't see,i can't remember,i can't say,i cannot say,no idea,no clue,no preference,no rush,no hurry,no matter,no doubt,no one,no longer,no such,no big deal,no biggie,never mind,nevermind,right now,right away,right here,sure about,ok but,ok so,it is not clear,i have no idea,i have no clue,i have a question,i have a,i have an,i have another,i have the,i am a,i am an,i am the,i'm not from,i am in,i am at,i would like,i would prefer,i would rather,i do have,of course i would like,it is a,it is an,it is the,yes or no,yes and no,do it again")

	yesBook, noBook, neitherBook = message.NewBook(enum.YesPhrases), message.NewBook(enum.NoPhrases), message.NewBook(neitherPhrases)

	// Anywhere in a message only these are a yes or a no.
	yesAnywhere = message.NewBook(message.Split("yes,yeah,yep,yup,yea,true,sure,ok,okay,agree,agreed,absolutely,definitely,y,👍,👌,✅"))
	noAnywhere  = message.NewBook(message.Split("no,nope,nop,nah,false,not ok,not okay,not agree,disagree,not really,not true,not sure,👎,✋,🖐,❌"))

	hesitation = message.Words("um uh uhm hmm hm well oh so actually er ah")
	looseYes   = message.Words("right correct fine without none n y k true never false it i not sure wrong likely probably neither naturally don't dont exactly")
)

// yesOrNo reads a yes or a no at token i, the longest phrase of either; n is 0 for
// neither.
func (s *reading) yesOrNo(i int, yes, no *message.Book) (value bool, n int) {
	if !s.Language.Coded {
		yes, no = s.Language.Books["yes"], s.Language.Books["no"]
	}
	y, m := s.Longest(i, yes), s.Longest(i, no)
	switch {
	case y > m:
		return true, s.withTone(i, y)
	case m > y:
		return false, s.withTone(i, m)
	}
	return false, 0
}

// withTone extends an emoji by its skin tone and its variation selector.
func (s *reading) withTone(i, n int) int {
	for s.Glued(i + n) {
		r, _ := utf8.DecodeRuneInString(s.Tokens[i+n].Text)
		if (r < 0x1f3fb || r > 0x1f3ff) && r != 0xfe0f {
			break
		}
		n++
	}
	return n
}

// yesNo reads a yes or no at the head of the message; the rest may go on.
func (s *reading) yesNo(param string, positive, negative any, c *collector) {
	i := 0
	for i < len(s.Tokens) && s.Is(i, hesitation) {
		i++
		for s.SymbolAt(i, ",.…") {
			i++
		}
	}
	yes, n := s.yesOrNo(i, yesBook, noBook)
	neither, loose := neitherBook, s.Is(i, looseYes)
	if !s.Language.Coded {
		neither, loose = s.Language.Books["neither"], s.IsTerm(i, "loose_yes")
	}
	if n == 0 || s.Longest(i, neither) >= n || i+n < len(s.Tokens) && s.Tokens[i+n].Class != message.Symbol && n == 1 && loose {
		return
	}
	value := positive
	if !yes {
		value = negative
	}
	c.tokens(s, param, value, i, i+n, "builtin", 0.92)
}

// choiceIn returns a rule that finds the yes or no of a message, wherever it stands: the
// longest, and the first of those.
func (s *reading) choiceIn() func(int) *find.Find {
	var best *find.Find
	for i := range s.Tokens {
		value, n := s.yesOrNo(i, yesAnywhere, noAnywhere)
		if n > 0 && (best == nil || n > best.To-best.From) {
			best = &find.Find{Kind: "boolean", From: i, To: i + n, Value: value, Confidence: 0.6}
		}
	}
	return func(i int) *find.Find {
		if best == nil || i != best.From {
			return nil
		}
		return best
	}
}
