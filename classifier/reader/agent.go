package reader

import "strings"

// Agent lists the tasks of an agent and the values that they need.
type Agent struct {
	Tasks  []Task
	Params []Param // of all tasks, each name once
}

// Task is something that the agent does.
type Task struct {
	ID     string
	Title  string   // what it is called, in a few words
	Writes bool     // it changes something outside
	Params []string // names of those that it needs
}

// Param is a value that tasks need.
type Param struct {
	Name   string
	Label  string // what it is called; the name where there is none
	Type   Type
	Values []string // of an [Enum]
}

// Type is the kind of value that a param has. The order is that of the training.
type Type int

// The types of params.
const (
	NoType Type = iota
	Text
	Code
	Address
	Person
	Date
	Time
	Datetime
	Daterange
	Duration
	Money
	Integer
	Number
	Boolean
	Phone
	Email
	List
	Enum
	numTypes
)

var typeNames = [numTypes]string{
	"none", "text", "code", "address", "person", "date", "time", "datetime", "daterange", "duration", "money",
	"integer", "number", "boolean", "phone", "email", "list", "enum",
}

// TypeNamed is the type of a name; a name that is not known stands for text.
func TypeNamed(name string) Type {
	switch name {
	case "id":
		return Code
	case "name":
		return Person
	}
	for t, known := range typeNames {
		if known == name {
			return Type(t)
		}
	}
	return Text
}

// How much of the names is read: pieces, and values of an enumeration.
const (
	titlePieces = 16
	labelPieces = 24
	labelValues = 8
)

// described is the text by which a param is known.
func (p *Param) described() string {
	label := p.Label
	if label == "" {
		label = strings.ReplaceAll(p.Name, "_", " ")
	}
	if p.Type != Enum {
		return label
	}
	return label + ": " + strings.Join(p.Values[:min(len(p.Values), labelValues)], ", ")
}
