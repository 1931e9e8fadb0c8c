package rasa

import "github.com/slotway/slotway/config/source"

type flow struct {
	id string
	at *source.Node
}
type testCase struct{}

func (r *reader) readFlows(n *source.Node)   {}
func (r *reader) readCases(n *source.Node)   {}
func (r *reader) flowOf(intent string) *flow { return nil }
func (r *reader) convertFlows()              {}
func (r *reader) convertCases()              {}
