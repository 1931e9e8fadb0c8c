package config

// Values are JSON-normal everywhere in Slotway: nil, bool, float64, string, []any and
// map[string]any. Identifiers are strings; whole numbers beyond 2^53 must be too.

// Arg is an argument of a call: a reference such as $orders.0.id, or a literal whose
// leaves may be references.
type Arg struct {
	Ref     []string // path of a reference; nil for a literal
	Literal any      // JSON-normal, with Arg at the leaves that are references
}

// Names returns the first path elements that the argument refers to, sorted.
func (a Arg) Names() []string { panic("config helper: implement") }

// Resolve evaluates the argument over env. A path that leads nowhere is nil.
func (a Arg) Resolve(env map[string]any) any { panic("config helper: implement") }

// Text is a parsed template: {name} or {name.field.0} is replaced by the value there,
// {{ and }} are braces.
type Text struct {
	Source string
	parts  []textPart
}

type textPart struct {
	literal string
	path    []string // nil: literal
}

// ParseText parses a template.
func ParseText(source string) (*Text, error) { panic("config helper: implement") }

// MustText is ParseText for templates known at compile time.
func MustText(source string) *Text { panic("config helper: implement") }

// Names returns the first path elements of the placeholders, sorted.
func (t *Text) Names() []string { panic("config helper: implement") }

// Render fills the template. What is missing renders as "". Whole numbers have no
// decimal point; lists are joined with ", " and "and". A nil Text is "".
func (t *Text) Render(env map[string]any) string { panic("config helper: implement") }

// Expr is a compiled condition over params and saved results. Unknown names are nil;
// comparing nil is false and never an error.
type Expr struct {
	Source string
	// compiled program
}

// ParseExpr compiles a condition; names is what it may refer to (nil: anything).
func ParseExpr(source string, names []string) (*Expr, error) { panic("config helper: implement") }

// Names returns the variables that the condition reads, sorted.
func (e *Expr) Names() []string { panic("config helper: implement") }

// True evaluates the condition; a nil Expr is true. Evaluation is bounded.
func (e *Expr) True(env map[string]any) (bool, error) { panic("config helper: implement") }

// Lookup walks path through maps and lists (indexes count from 0).
func Lookup(env map[string]any, path []string) (any, bool) { panic("config helper: implement") }

// Expand replaces ${NAME} in s by what lookup gives, and fails on a name it lacks.
func Expand(s string, lookup func(string) (string, bool)) (string, error) {
	panic("config helper: implement")
}
