package planner

import (
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// shapeOf returns the shape of a text param: as declared, or as its name and label suggest; "":
// any.
func shapeOf(p *config.Param) string {
	switch {
	case p.Shape != "":
		return p.Shape
	case p.Type.Builtin == "person" || p.Type.Builtin == "location":
		return shapes.Name
	}
	return config.GuessShape(p)
}
