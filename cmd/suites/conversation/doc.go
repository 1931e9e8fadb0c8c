// Package conversation tests how the program takes what people say: confirmations, values,
// paraphrases, and what a model server adds. Agents and phrases are in testdata.
package conversation
