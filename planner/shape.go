package planner

import (
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// shapeOf is the shape of a text param: as declared, or as its name and label say; "": any.
func shapeOf(p *config.Param) string {
	switch {
	case p.Shape != "":
		return p.Shape
	case p.Type.Builtin == "person" || p.Type.Builtin == "location":
		return shapes.Name
	}
	return config.GuessShape(p)
}
