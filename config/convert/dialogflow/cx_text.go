package dialogflow

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// note adds a line to the report.
func (c *cx) note(at convert.Place, outcome convert.Outcome, format string, args ...any) {
	c.bot.Report.Add(at, outcome, format, args...)
}

// texts returns the wordings of a fulfillment, as [es.texts] does. Texts for one channel are left out
// where there are others.
func (c *cx) texts(f *cxFulfillment, places map[string]string, at convert.Place) []string {
	var first, others []string
	general := slices.ContainsFunc(f.Messages, func(m cxMessage) bool { return m.Channel == "" && m.Text != nil && c.speaks(m.Language) })
	for _, m := range f.Messages {
		if !c.speaks(m.Language) {
			continue
		}
		if m.Text == nil || len(m.Text.Text) == 0 {
			continue
		}
		if m.Channel != "" && general {
			c.note(at, convert.Left, "a text for the channel %s", m.Channel)
			continue
		}
		said := make([]string, len(m.Text.Text))
		for i, text := range m.Text.Text {
			said[i] = strings.TrimSpace(c.placeholders(text, places, at))
		}
		if len(first) == 0 {
			others = said[1:]
		}
		first = append(first, said[0])
	}
	return convert.Wordings(first, others)
}

// cxPlace matches the place of a parameter in a text, and that of anything else that Dialogflow fills in,
// such as $sys.func.NOW() and $request.generative.answer.
var cxPlace = pattern.Must(`\$(?:session|page|intent)\.params\.([\pL_][\pL\pN_-]*)(?:\.(?:resolved|original)\b)?|` +
	`\$[a-z][\w-]*(?:\.[\w-]+)+(?:\([^()]*\))?`)

// placeholders turns the places of a text into placeholders.
func (c *cx) placeholders(text string, places map[string]string, at convert.Place) string {
	text = strings.NewReplacer("{", "(", "}", ")").Replace(text)
	return cxPlace.ReplaceAllStringFunc(text, func(found string) string {
		name := cxPlace.FindStringSubmatch(found)[1]
		if param := places[name]; param != "" {
			return "{" + param + "}"
		}
		if param := c.params[name]; param != nil && name != "" {
			return "{" + param.Name + "}"
		}
		c.note(at, convert.Lost, "a text names %s, which is no parameter", found)
		if name == "" {
			name = strings.TrimPrefix(found, "$")
		}
		return "(" + name + ")"
	})
}
