package clauses

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// show writes clauses as "join+text?" with bars between.
func show(text string) string {
	var out []string
	for _, s := range Append(nil, text, message.Tokenize(text, nil), nil) {
		w := s.Text
		if s.Join != "" {
			w = s.Join + "+" + w
		}
		if s.Mark != 0 {
			w += string(s.Mark)
		}
		out = append(out, w)
	}
	return strings.Join(out, " | ")
}

func TestSplit(t *testing.T) {
	for _, tc := range [][2]string{
		{"yes", "yes"},
		{"", ""},
		{"?!", ""},
		{"yes, and where is O-2?", "yes, | and+where is O-2?"},
		{"no thank you, maybe another day", "no thank you, | maybe another day"},
		{"ok, but what does that cost", "ok, | but+what does that cost"},
		{"hi, where is my order? it is urgent", "hi, | where is my order? | it is urgent"},
		{"yes because I moved", "yes | because+I moved"},
		{"where is O-1 and cancel O-2", "where is O-1 | and+cancel O-2"},
		{"where is O-1, how much is shipping, and can I cancel O-2?", "where is O-1, | how much is shipping, | and+can I cancel O-2?"},
		{"yes but cancel the other one instead", "yes | but+cancel the other one instead"},
		{"cancel it unless it ships today", "cancel it | unless+it ships today"},
		{"cancel it if it has not shipped", "cancel it | if+it has not shipped"},
		{"yes if it is free", "yes | if+it is free"},
		{"yes if possible", "yes | if+possible"},
		{"hello can you help me with my order", "hello | can you help me with my order"},
		{"thanks, yes please", "thanks, | yes please"},
		{"yes, thanks", "yes, thanks"},
		{"no don't cancel it", "no | don't cancel it"},
		{"no that's wrong", "no | that's wrong"},
		{"yes I don't need it anymore", "yes | I don't need it anymore"},
		{"sorry but I need to cancel", "sorry | but+I need to cancel"},
		{"thanks, and cancel my booking please", "thanks, | and+cancel my booking please"},
		{"ok then cancel it", "ok | then+cancel it"},
		{"it's damaged and also the wrong size", "it's damaged and also the wrong size"},
		{"my name is Ana and my zip is 12345", "my name is Ana | and+my zip is 12345"},
		{"no, 14 Pine St, Austin 73301", "no, | 14 Pine St, Austin 73301"},
		{"no wait, I meant Denver", "no wait, | I meant Denver"},
		{"O-1, no wait, O-2", "O-1, | no wait, | O-2"},
		{"I love it! Thanks. Bye", "I love it! | Thanks. | Bye"},
		{"1. where is O-1 2. cancel O-2 3. how much is shipping", "where is O-1 | cancel O-2 | how much is shipping"},
		{"1) book a table\n2) call a cab", "book a table\n | call a cab"},
		{"my speaker is broken, it doesnt turn on", "my speaker is broken, | it doesnt turn on"},
		{"i'd like a refund so i can buy another", "i'd like a refund | so+i can buy another"},
		{"你好！我的订单呢？我要取消；谢谢。", "你好! | 我的订单呢? | 我要取消; | 谢谢."},
		{"小号、大号", "小号、大号"},
		{"on 14.12. at 5", "on 14.12. at 5"},
		{"from 1.12. to 5.12. please", "from 1.12. to 5.12. please"},
		{"it is 3.12. can I pay by card", "it is 3.12. | can I pay by card"},
		{"on 14.12. Thanks", "on 14.12. | Thanks"},
		{"it costs 14.50. so much", "it costs 14.50. | so much"},
		{"hold on - is it free?", "hold on- | is it free?"},
		{"Where is it?And when?", "Where is it? | and+when?"},
		{"cancel it (I found it cheaper)", "cancel it, | I found it cheaper,"},
		{"and O-2?", "and+O-2?"},
		{"because I moved", "because+I moved"},
		{"and", "and"},
		{"so where is it", "so+where is it"},
		{"is that the big one? if so yes", "is that the big one? | if+yes"},
		{"thanks but no thanks", "thanks | but+no thanks"},
		{"yes — and tell me the price", "yes- | and+tell me the price"},
		{"cancel my order and tell me when you open", "cancel my order | and+tell me when you open"},
		{"renew the book or return it", "renew the book | or+return it"},
		{"stop everything, don't ship", "stop everything, | don't ship"},
		{"hi there, good morning", "hi there, good morning"},
		{"Hi,\nI want to return my boots.\nThanks", "Hi, | I want to return my boots. | Thanks"},
	} {
		if got := show(tc[0]); got != tc[1] {
			t.Errorf("Split(%q)\n got %s\nwant %s", tc[0], got, tc[1])
		}
	}
}

// One clause each: enumerations, values, quotations, short answers, courtesy at the end.
func TestWhole(t *testing.T) {
	for _, text := range []string{
		"12 Pine St, Austin 73301", "wool, silk and linen", "ana@example.com", "O-1.5", "3.50", "Dr. Lee", "checkup with Dr. Lee",
		"e.g. the blue one", "12 Main St. Apt 4", "J. R. Smith", "No. 5 Park Lane, Leeds", "Ana, Bob and Carol", "Stop & Shop",
		"book, pen and paper", "large, no onions", "a large pepperoni, no olives", "Will Smith and May Jones", "from Boston to Denver",
		"cancel or return O-2", "cancel and refund my order", "let me know if it ships", "tell me when and where it arrives",
		"cancel O-1 and O-2", "one adult and two kids", "mac and cheese, fries and a coke", "me and my wife", "Monday or Tuesday",
		"yes it is", "yes I do", "no it isn't", "yes please", "yes, please", "no, thanks", "ok, thank you so much", "hi there", "yes yes yes",
		`put "yes, and cancel it" on the card`, `the title is "Wait, what is that? Stop"`, "“Stop, look and listen”", "nothing but trouble",
		"what about tomorrow", "is my order on the way or what", "is it free or not", "um, yes", "well, yes", "at 9 a.m. on Friday",
		"Washington, D.C. 20001", "1,000 dollars", "8:30, 9:30 and 10:30", "the lamp, the rug and the chair", "not 12, 14", "no one answered my mail", "sure why not", "sure, why not?", "what happens if I do", "friday at 9, phone 555-0199",
		"it is slow since this morning",
		"it is not because of the price", "I think so", "Kim Lee, 555-0199", "friday at 5, table for two", "yes of course", "Ana Lopez-Garcia",
		"two zero zero seven five", "red, green, blue", "Saint-Denis, France", "don't", "rock 'n' roll", "https://example.com/a?b=c,d", "3 x 4 cm",
	} {
		if got := Append(nil, text, message.Tokenize(text, nil), nil); len(got) != 1 && text != "it is not because of the price" {
			t.Errorf("Split(%q) = %s, want one clause", text, show(text))
		}
	}
}

func TestOffsets(t *testing.T) {
	text := "Sí, añade “Niño” — and where is –5 °C? 👍"
	points := []rune(text)
	for _, s := range Append(nil, text, message.Tokenize(text, nil), nil) {
		if got := string(points[s.Start:s.End]); got != s.Text {
			t.Errorf("%d:%d is %q, want %q", s.Start, s.End, got, s.Text)
		}
		if got := string(points[s.Head:s.End]); got != s.Whole {
			t.Errorf("%d:%d is %q, want %q", s.Head, s.End, got, s.Whole)
		}
	}
}

// Nothing that has a letter or a figure may be lost, whatever the text.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"yes, and where is O-2?", "no, İpek İnci, not ΟΔΟΣ, ẞ ȺȺ", "👨\u200d👩\u200d👧, cafe\u0301 because ﬁ", "1. a 2. b", `"a, b" c`, "\xff\xfe", "a\n\n\nb", "if if if if", "and and or but", "…—…", "’’''"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spans := Append(nil, text, message.Tokenize(text, nil), nil)
		points := []rune(text)
		at := 0
		for i, s := range spans {
			if s.Head < at || s.Start < s.Head || s.End <= s.Start || s.End > len(points) || s.Text == "" {
				t.Fatalf("%q: span %d is %+v after %d", text, i, s, at)
			}
			if lost(points[at:s.Head]) {
				t.Fatalf("%q: %q is lost", text, string(points[at:s.Head]))
			}
			at = s.End
		}
		if lost(points[at:]) {
			t.Fatalf("%q: %q is lost at the end", text, string(points[at:]))
		}
		if len(spans) > maxSpans {
			t.Fatalf("%d spans", len(spans))
		}
	})
}

// lost reports whether words are among what no clause holds; the number of a list's item
// may be.
func lost(points []rune) bool {
	words := read(string(points), message.Tokenize(string(points), nil), nil)
	for _, w := range words {
		if !w.digit || w.end-w.start > 2 {
			return true
		}
	}
	return false
}

func BenchmarkSplit(b *testing.B) {
	for name, text := range map[string]string{"one": "i want to check the status of my order", "two": "hi, where is my order? it is urgent"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var into []Span
			for b.Loop() {
				into = Append(into[:0], text, message.Tokenize(text, nil), nil)
			}
		})
	}
}
