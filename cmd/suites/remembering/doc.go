// Package remembering tests what a conversation knows of the past, end to end: names, summaries,
// recalled and archived texts, expiry, and the servers that compare meanings.
package remembering
