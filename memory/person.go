package memory

import "maps"

// personKey is the key of an agent message's Metadata that says that a person said it, in the place of
// the agent. Its value is the person's name.
const personKey = "person"

// Person returns the name of the person who said an agent's message, which may be "", and whether a
// person did.
func (m *Message) Person() (name string, is bool) {
	name, is = m.Metadata[personKey]
	return name, is
}

// SaidBy returns metadata with the name of the person who says the message.
func SaidBy(name string, metadata map[string]string) map[string]string {
	out := maps.Clone(metadata)
	if out == nil {
		out = map[string]string{}
	}
	out[personKey] = name
	return out
}

// Speaker says who said a message: its role, or the person who spoke in the agent's place.
func (m *Message) Speaker() string {
	by, person := m.Person()
	switch {
	case !person:
		return string(m.Role)
	case by == "":
		return "a person"
	}
	return by + " (a person)"
}
