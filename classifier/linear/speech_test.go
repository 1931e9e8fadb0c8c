package linear

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message/script"
	"github.com/slotway/slotway/config/language"
)

// shop is a small set without spaces: three things one may ask of a shop.
func shop() []Example {
	var set []Example
	for _, intent := range []struct{ name, texts string }{
		{"cancel", "我要取消订单|帮我取消吧|不想要了，取消|ยกเลิกออเดอร์|注文をキャンセルしたい"},
		{"invoice", "我要开发票|请把发票发给我|需要电子发票|ขอใบเสร็จ|領収書をください"},
		{"track", "我的包裹什么时候到|快递到哪里了|查询物流|พัสดุถึงไหนแล้ว|荷物はどこですか"},
	} {
		for t := range strings.SplitSeq(intent.texts, "|") {
			set = append(set, Example{intent.name, t})
		}
	}
	return set
}

func wordsOf(t *tokens) (out []string) {
	for i := range t.words {
		out = append(out, string(t.bytes(i)))
	}
	return out
}

func TestSplitUnits(t *testing.T) {
	for text, want := range map[string][]string{
		"我要取消B-12345的订单!": {"我", "要", "取", "消", "b", "0", "的", "订", "单"},
		"T恤 还有吗":          {"t", "恤", "还", "有", "吗"},
		"ไม่ได้ใบเสร็จ":   {"ไม่", "ได้", "ใบ", "เส", "ร็", "จ"},
		"キャンセル":           {"キ", "ャ", "ン", "セ", "ル"},
		"don't Größe":     {"dont", "größe"},
	} {
		var got tokens
		got.split(text)
		if diff := cmp.Diff(want, wordsOf(&got)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		for i, w := range got.words {
			if i > 0 && w.from < got.words[i-1].to || w.to > len(text) || w.from >= w.to {
				t.Errorf("%q: word %d stands at [%d,%d)", text, i, w.from, w.to)
			}
		}
	}
}

// TestUnitsAreKnown: a sentence without spaces is not one word that nobody knows, and what
// shares only signs with the examples, or only words that name nothing, is not known.
func TestUnitsAreKnown(t *testing.T) {
	m := train(t, shop(), &Options{Language: "zh"})
	for text, want := range map[string]string{
		"能不能把刚才那个订单取消掉": "cancel", "麻烦把电子发票发过来": "invoice", "你好，快递到了没有": "track",
	} {
		if r := m.Rank(text, nil); r[0].Intent != want || r[0].Confidence < rejectAt {
			t.Errorf("Rank(%q) = %v, want %s", text, r, want)
		}
	}
	for _, text := range []string{"什么时候能看电影", "天气怎么样", "单子里的物品消失了"} {
		if r := m.Rank(text, nil); r[0].Confidence >= acceptAt {
			t.Errorf("Rank(%q) = %v, want no task", text, r)
		}
	}
	for _, tc := range [][2]string{{"th", "ช่วยยกเลิกให้หน่อย"}, {"ja", "キャンセルできますか"}} {
		m := train(t, shop(), &Options{Language: tc[0]})
		if r := m.Rank(tc[1], nil); r[0].Intent != "cancel" || r[0].Confidence < rejectAt {
			t.Errorf("Rank(%q) = %v, want cancel", tc[1], r)
		}
	}
}

// TestUnitsAreNotRepaired: a sign that nobody knows is not another one misspelt.
func TestUnitsAreNotRepaired(t *testing.T) {
	m := train(t, shop(), &Options{Language: "th", Words: []string{"大号"}, Dictionary: words("please")})
	for _, text := range []string{"ยกเลืกออเดอร", "我要取削订单", "キャンセリ", "大马"} {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if s.repaired {
			t.Errorf("%q is repaired to %q", text, s.text)
		}
	}
	for _, w := range m.vocabulary.spell.words {
		if r, _ := utf8.DecodeRuneInString(w.text); script.Unspaced(r) {
			t.Errorf("%q is a word to repair others to", w.text)
		}
	}
}

// TestFolding: letters that people write in several ways make one word, in the languages that
// have them.
func TestFolding(t *testing.T) {
	for _, tc := range [][2]string{
		{"de-AT", "für fuer fur FÜR"}, {"de", "Größe groesse grosse GRÖSSE"}, {"es", "devolución devolucion"}, {"fr", "reçu recu REÇU"}, {"fr", "cœur coeur"},
	} {
		f := tokens{folding: speechOf(tc[0]).folding}
		f.split(tc[1])
		for i := range f.words {
			if got, want := string(f.bytes(i)), string(f.bytes(0)); got != want {
				t.Errorf("%s: %q has %q and %q", tc[0], tc[1], want, got)
			}
		}
	}
	for _, tag := range []string{"", "en", "en-GB", "zh", "tlh"} {
		if speechOf(tag).folding != nil {
			t.Errorf("letters of %q are folded", tag)
		}
	}
}

// TestFunctionWordsByLanguage: what shares only words that name nothing with the examples is
// about something else; the words of another language name something.
func TestFunctionWordsByLanguage(t *testing.T) {
	set := []Example{{"track", "wo ist meine bestellung"}, {"track", "wann kommt das paket"}, {"cancel", "ich will das stornieren"}, {"cancel", "bitte den kauf abbrechen"}}
	known := func(tag, text string) float32 {
		m := train(t, set, &Options{Language: tag, Uncalibrate: true})
		var s scratch
		m.vocabulary.vectorise(text, &s)
		return s.known
	}
	const off = "wo ist das wetter"
	if de, en := known("de", off), known("en", off); de > 0.3 || en < 0.5 {
		t.Errorf("%.2f of %q is known in German, %.2f in English", de, off, en)
	}
	if de := known("de", "wo ist die bestellung"); de < 0.8 {
		t.Errorf("%.2f of a request is known", de)
	}
}

// TestSpeechTables reads the table of every language that has one.
func TestSpeechTables(t *testing.T) {
	for _, tag := range language.Tags() {
		if !language.Has(tag, speechTable) {
			continue
		}
		lists := language.Lists(tag, speechTable)
		if len(lists.Words("function")) < 50 || len(speechOf(tag).function) < 50 {
			t.Errorf("%s has %d words that name nothing", tag, len(speechOf(tag).function))
		}
		letters := lists.Words("letters")
		if len(letters)%2 != 0 {
			t.Errorf("%s: the letters are no pairs: %q", tag, letters)
		}
		if f := newFolding(letters); f != nil {
			taken := len(f.pairs)
			for _, to := range f.letters {
				if to != "" {
					taken++
				}
			}
			if taken != len(letters)/2 {
				t.Errorf("%s: %d of %d pairs of letters are taken", tag, taken, len(letters)/2)
			}
		}
	}
}

func TestLanguageIsStored(t *testing.T) {
	m := train(t, shop(), &Options{Language: "zh-TW"})
	again, err := decode(encode(t, m), Parts{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range shop() {
		if diff := cmp.Diff(m.Rank(e.Text, nil), again.Rank(e.Text, nil)); diff != "" {
			t.Errorf("%q: %s", e.Text, diff)
		}
	}
	if again.vocabulary.speech.tag != "zh" {
		t.Errorf("the language is %q", again.vocabulary.speech.tag)
	}
}
