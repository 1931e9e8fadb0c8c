// Package vectortest holds what every [recall.Vectors] must do. [Run] tries one against
// [Reference], which keeps everything in memory and compares a query with every row.
package vectortest
