package planner

import "github.com/slotway/slotway/config"

// shapeOf is the shape of a text param: as declared, or as its name and label say; "": any.
func shapeOf(p *config.Param) string {
	if p.Shape != "" {
		return p.Shape
	}
	return config.GuessShape(p)
}
