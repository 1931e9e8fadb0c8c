package recall

import "context"

// Documents keeps archived texts with their vectors in a vector store that people read with their
// own tools. Unlike [Vectors] it gets the texts, the ids of sessions and agents, and the archive's
// metadata. A search finds nothing outside the scope of its query. It is safe for concurrent use.
//
// A Vectors.Drop of all models of an owner also drops the owner's documents, and Vectors.Owners
// lists their sessions too.
type Documents interface {
	// Name names the store.
	Name() string
	// PutDocuments writes documents of a session and replaces those with the same numbers. A store
	// that holds documents of another model with vectors of another length drops those: they are
	// made again.
	PutDocuments(ctx context.Context, set VectorSet, docs []DocumentRow) error
	// NearestDocuments returns the K documents of a scope that are nearest to a vector, the nearest
	// first. Of the query's limits it observes Scope, Model and Exclude.
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
	// Metadata holds session_id, agent_id, conversation_topics, entities_mentioned, decisions_made,
	// open_questions, message_count and date_range (start and end), as far as they exist: strings,
	// numbers, lists of strings and one level of maps of strings.
	Metadata map[string]any
}
