package extract

import "unicode/utf8"

var (
	yesPhrases = split("yes,yeah,yep,yup,yes please,yeah please,yes indeed,sure,sure thing,sure is,of course,definitely,absolutely,certainly,correct,that's correct,thats correct,that is correct,right,that's right,thats right,that is right,exactly,precisely,indeed,ok,okay,okey,okey dokey,alright,all right,k,y,true,agree,agreed,i agree,i do,i am,i would,i have,i did,i will,it is,it does,it was,they do,they are,he is,she is,affirmative,please do,go ahead,go for it,do it,by all means,you bet,for sure,why not,sounds good,sounds fine,sounds great,sounds right,looks good,looks right,fine,that's fine,thats fine,that is fine,that's it,that works,works for me,i'm fine with that,i'm ok with that,i'm okay with that,fine with me,fine by me,ok with me,i don't mind,i do not mind,don't mind,i guess so,i suppose so,i think so,i believe so,i hope so,i guess,probably,likely,no problem,no worries,yea,ya,yah,yass,uh huh,mhm,totally,gladly,with pleasure,naturally,👍,👌,✅,✔,🆗,🙏")
	noPhrases  = split("no,nope,nop,nah,naw,no thanks,no thank you,no no,not really,not exactly,not quite,not yet,not now,not today,not this time,not ok,not okay,not at all,not likely,not any,not for me,not that,of course not,certainly not,definitely not,absolutely not,probably not,surely not,maybe not,i guess not,i suppose not,i think not,i hope not,i'm afraid not,i am afraid not,i don't,i dont,i do not,i don't think so,i dont think so,i do not think so,don't think so,i didn't,i did not,i'm not,i am not,im not,n,false,never,negative,it isn't,it's not,its not,it is not,it doesn't,it wasn't,they aren't,they don't,no way,no chance,don't,do not,dont,please don't,👎,❌,🚫,disagree,i disagree,wrong,that's wrong,incorrect,that's not right,i wouldn't,i would not,i would rather not,i'd rather not,rather not,i haven't,i have not,i won't,i will not,i can't,i cannot,hell no,none,without,neither,no problem,no worries") // the last two stand in both lists: they answer neither way
	// neitherPhrases begin like an answer and are none.
	neitherPhrases = split("not sure,not certain,not so sure,not too sure,i'm not sure,im not sure,i am not sure,i'm not certain,i'm not so sure,i don't know,i dont know,i do not know,don't know,dont know,i don't remember,i do not remember,i don't recall,i don't understand,i do not understand,i don't get it,i don't care,i don't see,i can't remember,i can't say,i cannot say,no idea,no clue,no preference,no rush,no hurry,no matter,no doubt,no one,no longer,no such,no big deal,no biggie,never mind,nevermind,right now,right away,right here,sure about,ok but,ok so,it is not clear,i have no idea,i have no clue,i have a question,i have a,i have an,i have another,i have the,i am a,i am an,i am the,i'm not from,i am in,i am at,i would like,i would prefer,i would rather,i do have,of course i would like,it is a,it is an,it is the,yes or no,yes and no,do it again")

	yesBook, noBook, neitherBook = newBook(yesPhrases), newBook(noPhrases), newBook(neitherPhrases)

	// Anywhere in a message only these are a yes or a no.
	yesAnywhere = newBook(split("yes,yeah,yep,yup,yea,true,sure,ok,okay,agree,agreed,absolutely,definitely,y,👍,👌,✅"))
	noAnywhere  = newBook(split("no,nope,nop,nah,false,not ok,not okay,not agree,disagree,not really,not true,not sure,👎,✋,🖐,❌"))

	hesitation = words("um uh uhm hmm hm well oh so actually er ah")
	looseYes   = words("right correct fine without none n y k true never false it i not sure wrong likely probably neither naturally don't dont exactly")
)

// yesOrNo reads a yes or a no at token i, the longest phrase of either; n is 0 for
// neither.
func (s *scan) yesOrNo(i int, yes, no *book) (value bool, n int) {
	if s.tongue != nil {
		yes, no = s.tongue.books["yes"], s.tongue.books["no"]
	}
	y, m := s.longest(i, yes), s.longest(i, no)
	switch {
	case y > m:
		return true, s.withTone(i, y)
	case m > y:
		return false, s.withTone(i, m)
	}
	return false, 0
}

// withTone extends an emoji by its skin tone and its variation selector.
func (s *scan) withTone(i, n int) int {
	for s.glued(i + n) {
		r, _ := utf8.DecodeRuneInString(s.tokens[i+n].text)
		if (r < 0x1f3fb || r > 0x1f3ff) && r != 0xfe0f {
			break
		}
		n++
	}
	return n
}

// yesNo reads a yes or no at the head of the message; the rest may go on.
func (s *scan) yesNo(param string, positive, negative any, c *collector) {
	i := 0
	for i < len(s.tokens) && s.is(i, hesitation) {
		i++
		for s.symbolAt(i, ",.…") {
			i++
		}
	}
	yes, n := s.yesOrNo(i, yesBook, noBook)
	neither, loose := neitherBook, s.is(i, looseYes)
	if s.tongue != nil {
		neither, loose = s.tongue.books["neither"], s.isTerm(i, "loose_yes")
	}
	if n == 0 || s.longest(i, neither) >= n || i+n < len(s.tokens) && s.tokens[i+n].class != symbol && n == 1 && loose {
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
func (s *scan) choiceIn() func(int) *found {
	var best *found
	for i := range s.tokens {
		value, n := s.yesOrNo(i, yesAnywhere, noAnywhere)
		if n > 0 && (best == nil || n > best.to-best.from) {
			best = &found{kind: "boolean", from: i, to: i + n, value: value, confidence: 0.6}
		}
	}
	return func(i int) *found {
		if best == nil || i != best.from {
			return nil
		}
		return best
	}
}
