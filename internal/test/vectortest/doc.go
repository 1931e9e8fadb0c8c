// Package vectortest is the contract of [recall.VectorStore]. [Run] tests an implementation against
// [Reference], which keeps everything in memory and compares a query with every row.
package vectortest
