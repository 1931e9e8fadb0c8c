package extract

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/message"
)

// remainder is a stretch of a message between words that carry no value: [from, to) in tokens.
type remainder struct{ from, to int }

const (
	mostRemainders = 8
	longRemainder  = 8 // tokens; a longer one is no bare value
)

var (
	// carriers may stand around a value that corrects another: a yes or a no, the words of
	// a correction, what is to be done to the value.
	carriers = message.NewBook(message.Split("no,nope,nah,yes,yeah,yep,ok,okay,sure,well,oh,oops,hmm,um,uh,no no,no wait,oh wait,wait,hold on,sorry,i'm sorry,my bad,my mistake,correction,actually,actually no,no actually,i mean,i meant,i said,i mean to say,rather,or rather,instead,instead of,rather than,please,pls,thanks,thank you,not,but,but not,and not,it's not,it's,its,it is,that's,thats,that is,it isn't,that isn't,isn't,make it,make that,make this,make them,make,change it to,change that to,change this to,change to,change,set it to,set to,set,switch it to,switch to,switch,put,put it at,turn it into,update it to,it should be,that should be,this should be,should be,should have been,should say,it should have been,it must be,must be,it's supposed to be,supposed to be,ought to be,needs to be,it needs to be,it was,that was,i want,i want it,i wanted,i need,i'd like,i would like,i'd rather,i would rather,i prefer,i'd prefer,i'd rather have,let's do,let's say,let's make it,let's go with,go with,go for,take,give me,better,how about,what about,can we do,could we do,can you do,could you do,can we say,can it be,could it be,can i have,could i have,can i get,could i get,let me have,do,maybe,i think,i guess,on second thought,second thoughts,scratch that,strike that,forget that,forget what i said,you mean,we mean,we need,we want,is,are,will be,would be,now,then,for"))
	// parters divide what is no value as a whole: "from 5 to 6".
	parters = message.Words("and or to from into with")
	// leftovers may stand in a remainder beside its value.
	leftovers = message.Words("the a an at on in for by to it one ones of that this these those around about with just only exactly say please here")
	// bareLeads may stand before a value and are no part of it.
	bareLeads = message.Words("at on in for by around about exactly say please here of")
	pauses    = ",;.!?…:()\"“”"
)

// remainders cuts a message at its carriers and pauses.
func (s *reading) remainders() []remainder {
	var out []remainder
	start := 0
	cut := func(end int) {
		if start < end && len(out) < mostRemainders {
			out = append(out, remainder{start, end})
		}
	}
	for i := 0; i < len(s.Tokens); {
		n := s.Longest(i, carriers)
		switch {
		case n > 0 && !s.Exact[i]:
		case s.pauses(i):
			n = 1
		default:
			i++
			continue
		}
		cut(i)
		i += n
		start = i
	}
	cut(len(s.Tokens))
	return out
}

// pauses reports whether token i ends a stretch of words: the comma of "1,5" does not.
func (s *reading) pauses(i int) bool {
	t := &s.Tokens[i]
	switch {
	case t.Class != message.Symbol || s.Taken[i]:
		return false
	case t.Text == "." && s.PointedAt(i-3).Closed:
		return false // 14.12.
	case strings.Contains(pauses, t.Text):
		return !s.Glued(i+1) || s.Tokens[i+1].Class == message.Symbol
	}
	return strings.Contains(codes.Dashes, t.Text) && !s.Glued(i) && !s.Glued(i+1)
}

// parts divides a remainder at the words that join two values.
func (s *reading) parts(r remainder) []remainder {
	var out []remainder
	start := r.from
	for i := r.from; i <= r.to; i++ {
		if i < r.to && (!s.Is(i, parters) || s.Exact[i]) {
			continue
		}
		if start < i {
			out = append(out, remainder{start, i})
		}
		start = i + 1
	}
	if len(out) == 1 && out[0] == r {
		return nil
	}
	return out
}
