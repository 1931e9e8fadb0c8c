package extract

import (
	"slices"
	"strings"
)

// opening and closing are phrases that carry no value, before and after an answer.
// The longest match at either end is dropped, again and again.
var (
	opening = split("please,pls,ah,aha,er,erm,hm,mm,hi,hi there,hello,hey,hey there,good morning,good afternoon,good evening,ok,okay,sure,alright,yes,yeah,yep,well,um,uh,uhm,hmm,so,oh,sorry,right,ok so,it's,its,it is,it was,it would be,it'd be,it should be,this is,that's,thats,that is,that would be,that'd be,here it is,here you go,here you are,here's,heres,here is,i think,i think it's,i believe,i guess,maybe,probably,of course,sure thing,no problem,the answer is,i'd say,let me see,make it,actually,i mean,i meant,and,thanks,thank you,it's for,for,to,i have,got it")
	closing = newBook(split("please,pls,thanks,thank you,thanks a lot,thank you very much,thank you so much,many thanks,thx,ty,cheers,i think,i believe,i guess,sir,madam,ma'am,ok,okay,that's it,that's all,that is all,here,there you go,if that helps,i hope,instead,for me,much appreciated"))
	// textual are the openings that may be dropped from free text; the others may be
	// part of what is said.
	textual = newBook(split("please,pls,ok,okay,sure,sure thing,well,um,uh,hmm,it's,it is,that's,that would be,here it is,here you go,here's,here is"))
	thanks  = newBook(split("please,pls,thanks,thank you,thanks a lot,thank you very much,thank you so much,many thanks,thx,cheers"))
)

var openingBook = newBook(opening)

func split(list string) []string { return strings.Split(list, ",") }

// core returns the tokens [from, to) that remain when courtesy and "my order number is"
// are dropped at both ends. With about not "", only what is announced by one of its words
// is: "my address is" before an address, but not "my dog is" before a note.
func (s *scan) core(open, end *book, about string) (from, to int) {
	to = len(s.tokens)
	if s.tongue != nil {
		open, end = s.tongue.books["opening"], s.tongue.books["closing"]
	}
	for from < to {
		if t := s.tokens[from]; t.class == symbol && strings.Contains(",.!?;:-–—…\"'“”", t.text) {
			if t.text == "-" && s.glued(from+1) {
				break // a sign
			}
			from++
			continue
		}
		n := max(s.longest(from, open), s.announcement(from, about))
		if n == 0 || from+n > to {
			break
		}
		from += n
	}
	for to > from {
		if t := s.tokens[to-1]; t.class == symbol && strings.Contains(",.!?;:-–—…\"'“”)", t.text) {
			if t.text == ")" {
				break
			}
			to--
			continue
		}
		n := s.closes(from, to, end)
		if n == 0 {
			break
		}
		to -= n
	}
	return from, to
}

// announcement counts "my order number is", "the zip code is", "order number:".
func (s *scan) announcement(i int, about string) int {
	if w := s.low(i); w != "my" && w != "the" && w != "our" {
		return 0
	}
	fits := about == ""
	for n := 1; n <= 5; n++ {
		if fits = fits || s.low(i+n) != "" && slices.Contains(strings.Split(about, "_"), s.low(i+n)); !fits {
			continue
		}
		if w := s.low(i + n); w == "is" || w == "was" || w == "would" && s.low(i+n+1) == "be" {
			if w == "would" {
				n++
			}
			return n + 1
		}
		if i+n >= len(s.tokens) || s.tokens[i+n].class != letters {
			return 0
		}
	}
	return 0
}

// Filler reports whether a word carries neither a value nor a wish: courtesy, articles,
// the verb to be. The word is in lower case.
func Filler(word string) bool { return fillers[word] }

var fillers = words("please pls thanks thank you thx cheers it's its it is was be this that that's thats the a an my our i i'm im me mine here here's um uh hmm oh well so ok okay sure yes yeah and or for to on at in of by from with as number no nr id code one think believe guess would should hi hello hey sir there are am ah aha er erm hm mm")
