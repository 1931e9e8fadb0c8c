package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// wardrobe is an agent whose values are written without spaces.
func wardrobe() *config.Agent {
	size := &config.Type{Name: "size", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "小号", Synonyms: []string{"Sサイズ", "ไซส์เล็ก"}},
		{Value: "大号", Synonyms: []string{"大码", "Lサイズ", "ไซส์ใหญ่"}},
		{Value: "特大号"},
		{Value: "大"},
		{Value: "XL"},
	}}
	p := &config.Param{Name: "size", Type: size}
	return &config.Agent{
		Language: "zh", Types: map[string]*config.Type{"size": size}, Params: map[string]*config.Param{"size": p},
		Intents: []*config.Intent{{ID: "stock", Optional: []*config.Param{p}}},
	}
}

func TestValuesInsideRuns(t *testing.T) {
	x := New(wardrobe(), nil)
	for _, tc := range []struct {
		text, want string
		asked      bool
	}{
		{"大号", "大号 0-2", false},
		{"这件衬衫有大号吗？", "大号 5-7", false},
		{"请给我换成大码的", "大号 5-7", false},
		{"有特大号的没有", "特大号 1-4", false},
		{"有XL的吗", "XL 1-3", false},
		{"有 XL 吗", "XL 2-4", false},
		{"このシャツのLサイズはありますか", "大号 6-10", false},
		{"เสื้อตัวนี้มีไซส์ใหญ่ไหม", "大号 13-21", false},
		{"号大", "", false},
		{"大，号", "大 0-1", false}, // two words
		{"大家好", "", false},      // any word has a sign
		{"大的", "", false},
		{"大的", "大 0-1", true},
		{"大", "大 0-1", false},
		{"小方，他的大衣", "", false},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked {
			in.Asked = &classifier.Asked{Param: "size"}
		}
		var got strings.Builder
		for _, v := range x.Extract(in, nil) {
			got.WriteString(fmt.Sprintf("%v %d-%d", v.Value, v.Start, v.End))
		}
		if got.String() != tc.want {
			t.Errorf("%q (asked: %t) is %q, want %q", tc.text, tc.asked, got.String(), tc.want)
		}
	}
}

// A run that one label alone has chooses it; a sign does not.
func TestOptionsInsideRuns(t *testing.T) {
	x := New(wardrobe(), nil)
	options := []classifier.Option{{Value: "a", Label: "红色 衬衫"}, {Value: "b", Label: "蓝色 衬衫"}}
	for text, want := range map[string]string{
		"我要蓝色的": "b", "红色 衬衫": "a", "衬衫": "", "红的": "", "我要": "",
	} {
		in := classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: "size", Options: options}}
		var got strings.Builder
		for _, v := range x.Extract(in, nil) {
			if v.Source == "option" {
				got.WriteString(fmt.Sprint(v.Value))
			}
		}
		if got.String() != want {
			t.Errorf("%q chooses %q, want %q", text, got.String(), want)
		}
	}
}

// The name of a person is one name, of however many signs.
func TestNamesWithoutSpaces(t *testing.T) {
	p := &config.Param{Name: "who", Type: &config.Type{Name: "person", Builtin: "person"}}
	a := &config.Agent{Language: "ja", Params: map[string]*config.Param{"who": p}, Intents: []*config.Intent{{ID: "book", Required: []*config.Param{p}}}}
	x := New(a, nil)
	for _, name := range []string{"王小明", "やまだたろう", "สมชาย ใจดี"} {
		if v, ok := x.Read("who", name, now); !ok || v != name {
			t.Errorf("%q is read as %v (%t)", name, v, ok)
		}
	}
}
