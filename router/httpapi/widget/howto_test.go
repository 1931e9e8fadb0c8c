package widget

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/settings"
)

const howto = "../../../docs/howto/web-widget.md"

// The how-to names every variable, attribute and word that the widget has, and none besides.
func TestHowto(t *testing.T) {
	page, err := os.ReadFile(howto)
	if err != nil {
		t.Fatal(err)
	}
	variables := regexp.MustCompile(`--slotway-[a-z-]+`)
	same(t, "variables", variables.FindAllString(string(asset("style.css")), -1), variables.FindAllString(string(page), -1))

	word := regexp.MustCompile(`(?:^|[{,\n]) *([a-z]+): '`)
	_, words, ok := strings.Cut(string(page), "words: {")
	words, _, end := strings.Cut(words, "\n  },")
	if !ok || !end {
		t.Fatal("the how-to has no words")
	}
	names := func(text string) (all []string) {
		for _, m := range word.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		return all
	}
	same(t, "words", names(string(asset("words.js"))), names(words))

	var used []string
	for _, name := range []string{"title", "greeting", "open", "position", "theme", "lang"} {
		if strings.Contains(string(whole().body), "options."+name) {
			used = append(used, "data-"+name)
		}
	}
	same(t, "attributes", used, regexp.MustCompile("data-[a-z]+").FindAllString(string(page), -1))
}

// Only these turn text into markup or inline styles.
var forbidden = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|\beval\(|new Function|setTimeout\(['"]|\.style\b|<style`)

func TestScript(t *testing.T) {
	for _, name := range parts {
		for i, line := range strings.Split(string(asset(name)), "\n") {
			if found := forbidden.FindString(line); found != "" {
				t.Errorf("%s:%d has %s", name, i+1, found)
			}
		}
	}
}

func same(t *testing.T, what string, has, told []string) {
	t.Helper()
	for _, list := range []*[]string{&has, &told} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if diff := cmp.Diff(has, told); diff != "" || len(has) < 3 {
		t.Errorf("%d %s (-of the widget +of the how-to)\n%s", len(has), what, diff)
	}
}

func TestHowtoSettings(t *testing.T) {
	s, err := settings.Load("../../../docs/howto/settings/widget.yaml", []string{"HOME=" + t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Server.Widget.Visitors || s.Server.Widget.VisitorTTL.Hours() != 30*24 || len(s.Server.CORS) != 1 || !s.Server.Auth.Asks() {
		t.Errorf("%+v", s.Server)
	}
}
