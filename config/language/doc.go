// Package language holds what differs from one human language to the next, as tables: one
// folder a language, which the binary carries. What reads a table lives in the room that needs
// it; here is only where the tables are and how they are written.
//
// A new language is a new folder. docs/languages.md says what goes into it.
package language
