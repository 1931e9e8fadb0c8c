package recall

import "errors"

// ErrEmbedder reports that an embedder returned other vectors than announced.
var ErrEmbedder = errors.New("the embedder returned unexpected vectors")

// ErrNoMeaning reports a search by meaning without an embedder, or a question without a vector.
var ErrNoMeaning = errors.New("no vector to compare with")

// ErrVectors reports that the vector store failed or did not answer in time. A job that fails with
// it has the code vector_store.
var ErrVectors error = vectorsError{}

type vectorsError struct{}

func (vectorsError) Error() string { return "the vector store" }
func (vectorsError) Code() string  { return "vector_store" }
