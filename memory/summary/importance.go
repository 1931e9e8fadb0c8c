package summary

import (
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
)

// importances lists patterns of what should not be forgotten, the most important first.
var importances = []struct {
	level int
	roles string // initials of the roles that it applies to
	re    *pattern.Finder
	needs signs
}{
	// Health and safety: forgetting it does harm.
	{3, "u", pattern.MustFinder(`(?i)\b(?:i'?m|i am|we are|we're|(?:my|our) \w+ (?:is|are)|is) (?:\w+ )?allergic\b|\ballerg(?:y|ies) to\b|\b(?:diabetic|epileptic|anaphyla\w+|celiac|coeliac|pregnant|wheelchair)\b`), health},
	// Standing orders and limits.
	{2, "u", pattern.MustFinder(`(?i)\b(?:never (?:call|send|use|ship|deliver|charge|contact|share|book|put|give|ask|do)|always (?:call|send|use|ship|deliver|charge|contact|book|put|ask)|do ?n[o']t ever|under no circumstances|no matter what|at (?:the )?most \d|no more than|only if|unless|as long as)\b`), bound},
	// Corrections of what was said before.
	{2, "u", pattern.MustFinder(`(?i)^(?:no|sorry|wait|actually|correction)\b[,.:;!]? .*\b(?:not|meant|instead|rather|it's|is)\b|\bi meant\b|\bthat'?s (?:wrong|not right|incorrect)\b`), mending},
	// Decisions and confirmations.
	{2, "u", pattern.MustFinder(`(?i)\bi'?(?:ll| will) (?:take|go with|have) (?:it|the|that|this|a|an|two|three)\b|\b(?:i|we)(?:'ve| have)? (?:decided|chose|agreed|approved)\b`), self | telling},
	{2, "u", pattern.MustFinder(`(?i)\b(?:please )?cancel (?:it|the|my|that|this|everything)\b|^(?:yes|ok|okay)[,.]? (?:please )?(?:go ahead|do it|book it|confirm|cancel it|send it)\b`), giving},
	{2, "a", pattern.MustFinder(`(?i)\b(?:has|have) been (?:confirmed|cancelled|canceled|approved|booked|refunded|placed)\b`), called},
	{2, "a", pattern.MustFinder(`(?i)\b(?:confirmation|booking|order|reference|case|ticket) (?:number|no\.?|id|code)\b.{0,20}\d`), digit | noun},
}

// Importance returns how important it is to remember a message: 0 by default, 1 if rules find facts
// in it, 2 for decisions, confirmations, limits and corrections, 3 for allergies and the like. A
// higher value set by the sender counts instead.
func Importance(m *memory.Message) int {
	if m.Importance >= memory.MaxImportance || m.Role == memory.Tool || m.Role == memory.System {
		return m.Importance
	}
	has := signsOf(m.Text)
	for _, row := range importances {
		if row.level > m.Importance && row.roles[0] == m.Role[0] && has&row.needs == row.needs && row.re.MatchString(m.Text) {
			return row.level
		}
	}
	if m.Importance == 0 && tellsFacts(m, has) {
		return 1
	}
	return m.Importance
}
