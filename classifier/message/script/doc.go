// Package script knows the scripts that are written without spaces between words: Han, kana,
// Thai, Lao, Khmer and Myanmar. A run of such letters holds several words, and where they part
// only a dictionary could tell. So a run is read by its units: signs, or a letter with the
// marks around it. What is made of units finds a word wherever it stands in a run.
package script
