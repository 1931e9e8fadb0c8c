// Package talk knows the courtesy around an answer.
package talk

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// Words that show a reply to be a request or a remark, not a name.
var Remarks = message.Words("i you he she we they it me my your what where when who why how which can could would should will shall do does did is are was were am have has had want need help cancel stop order orders track change please not don't dont know no yes nothing none skip never mind wait hold tell show give get make thanks thank hello hi hey agent human this that there here if because but sorry actually back again about with repeat say later start over quit exit ok okay sure thats that's correct yep yeah jep nope")

// Openings and closing are phrases that carry no value, before and after an answer.
// The longest match at either end is dropped, again and again.
var (
	Openings = message.Split("please,pls,ah,aha,er,erm,hm,mm,hi,hi there,hello,hey,hey there,good morning,good afternoon,good evening,ok,okay,sure,alright,yes,yeah,yep,well,um,uh,uhm,hmm,so,oh,sorry,right,ok so,it's,its,it is,it was,it would be,it'd be,it should be,this is,that's,thats,that is,that would be,that'd be,here it is,here you go,here you are,here's,heres,here is,i think,i think it's,i believe,i guess,maybe,probably,of course,sure thing,no problem,the answer is,i'd say,let me see,make it,actually,i mean,i meant,and,thanks,thank you,it's for,for,to,i have,got it")
	Closing  = message.NewBook(message.Split("please,pls,thanks,thank you,thanks a lot,thank you very much,thank you so much,many thanks,thx,ty,cheers,i think,i believe,i guess,sir,madam,ma'am,ok,okay,speaking,calling,that's it,that's all,that is all,here,there you go,if that helps,i hope,instead,for me,much appreciated"))
	// Textual are the openings that may be dropped from free text; the others may be
	// part of what is said.
	Textual = message.NewBook(message.Split("please,pls,ok,okay,sure,sure thing,well,um,uh,hmm,it's,it is,that's,that would be,here it is,here you go,here's,here is"))
	Thanks  = message.NewBook(message.Split("please,pls,thanks,thank you,thanks a lot,thank you very much,thank you so much,many thanks,thx,cheers"))
)

// Opening and Closing hold the phrases around an answer.
var Opening = message.NewBook(Openings)

// Core returns the tokens [from, to) that remain when courtesy and "my order number is"
// are dropped at both ends. With about not "", only what is announced by one of its words
// is: "my address is" before an address, but not "my dog is" before a note.
func Core(s *message.Message, open, end *message.Book, about string) (from, to int) {
	to = len(s.Tokens)
	if !s.Language.Coded {
		open, end = s.Language.Books["opening"], s.Language.Books["closing"]
	}
	for from < to {
		if t := s.Tokens[from]; t.Class == message.Symbol && strings.Contains(",.!?;:-–—…\"'“”", t.Text) {
			if t.Text == "-" && s.Glued(from+1) {
				break // a sign
			}
			from++
			continue
		}
		n := max(s.Longest(from, open), announcement(s, from, about))
		if n == 0 || from+n > to {
			break
		}
		from += n
	}
	for to > from {
		if t := s.Tokens[to-1]; t.Class == message.Symbol && strings.Contains(",.!?;:-–—…\"'“”)", t.Text) {
			if t.Text == ")" {
				break
			}
			to--
			continue
		}
		n := s.Closes(from, to, end)
		if n == 0 {
			break
		}
		to -= n
	}
	return from, to
}

// announcement counts "my order number is", "the zip code is", "order number:".
func announcement(s *message.Message, i int, about string) int {
	if w := s.Low(i); w != "my" && w != "the" && w != "our" {
		return 0
	}
	fits := about == ""
	for n := 1; n <= 5; n++ {
		if fits = fits || s.Low(i+n) != "" && slices.Contains(strings.Split(about, "_"), s.Low(i+n)); !fits {
			continue
		}
		if w := s.Low(i + n); w == "is" || w == "was" || w == "would" && s.Low(i+n+1) == "be" {
			if w == "would" {
				n++
			}
			return n + 1
		}
		if i+n >= len(s.Tokens) || s.Tokens[i+n].Class != message.Letters {
			return 0
		}
	}
	return 0
}

// Fillers are words that carry neither a value nor a wish: courtesy, articles, the verb to be.
var Fillers = message.Words("please pls thanks thank you thx cheers it's its it is was be this that that's thats the a an my our i i'm im me mine here here's um uh hmm oh well so ok okay sure yes yeah and or for to on at in of by from with as number no nr id code one think believe guess would should hi hello hey sir there are am ah aha er erm hm mm")

// ProperName reports whether token i is a word with a capital, in a message that is not
// all capitals.
func ProperName(s *message.Message, i int) bool {
	return s.Capital(i) && s.WordAt(i) && !s.Is(i, Fillers) && !s.Shouts()
}

// CueStops end the words that belong to one value.
var CueStops = message.Words("and or but then")

// NounStops stand between a number and what it does not count: "4 with rating 3".
var NounStops = message.Words("and or but then with for of in at on to from by the a an my is are was will please")
