// Package language holds the tables that differ between human languages: one folder per language,
// embedded in the binary. The package knows where the tables are and how they are written; the code
// that uses a table is where it is needed.
//
// To add a language, add a folder; docs/howto/languages.md says what goes into it.
package language
