package telemetry

// Scrubbed is a text that holds no known param value. Scrub alone makes one; the zero value
// is the empty text.
type Scrubbed struct{ text string }

// String is the text without the values.
func (s Scrubbed) String() string { return s.text }
