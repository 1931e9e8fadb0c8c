package recall

import "context"

// Documents keeps archived texts with their vectors outside the process, in a place that
// people look into with tools of their own: unlike [Vectors] it is given the texts, the ids
// of sessions and agents, and what the archive says of them. Nothing is found outside the
// scope of a query. It is safe for concurrent use.
//
// A deletion by Vectors.Drop of all models of an owner takes its documents along, and
// Vectors.Owners tells of them too.
type Documents interface {
	// Name names the place.
	Name() string
	// PutDocuments writes documents of a session, in place of those of the same numbers. A
	// place that holds documents of another model in vectors of another length lets go of
	// them: they are made again.
	PutDocuments(ctx context.Context, set VectorSet, docs []DocumentRow) error
	// NearestDocuments returns the K documents of a scope that are nearest to a vector, the
	// nearest first. Of the query's limits it keeps Scope, Model and Without.
	NearestDocuments(ctx context.Context, q VectorQuery) ([]VectorMatch, error)
	// DropDocuments deletes documents. Model and Dim of the deletion are those of a set.
	DropDocuments(ctx context.Context, d VectorDrop) error
}

// DocumentRow is one archived text.
type DocumentRow struct {
	VectorRow

	Text      string
	Namespace string // conversations:USER or documents:AGENT
	Type      string // conversation or document
	// Metadata are session_id, agent_id, conversation_topics, entities_mentioned,
	// decisions_made, open_questions, message_count and date_range (start and end), as far as
	// there are any: texts, numbers, lists of texts and one level of maps of texts.
	Metadata map[string]any
}
