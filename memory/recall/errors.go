package recall

import "errors"

// ErrEmbedder: an embedder gave other vectors than it announced.
var ErrEmbedder = errors.New("the embedder's answer does not fit")

// ErrNoMeaning: a search by meaning where no embedder is set, or the question has no
// vector.
var ErrNoMeaning = errors.New("nothing to compare meanings with")

// ErrVectors: the place where vectors are kept could not be asked, or did not answer in
// time. A job that fails by it has the code vector_store.
var ErrVectors error = vectorsError{}

type vectorsError struct{}

func (vectorsError) Error() string { return "the vector store" }
func (vectorsError) Code() string  { return "vector_store" }
