// Command site makes a static site of the documents: one HTML page for each Markdown file of docs and
// for the files at the top of the repository, one style sheet, and the pictures that they show.
//
//	go run -C scripts/site . OUT
//
// The pages load nothing from elsewhere and run no script. A link that leads nowhere is an error.
package main
