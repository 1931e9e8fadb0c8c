// Package widget is a chat for websites: one script, GET /widget.js, that a page of any origin loads
// with one tag, and the routes that the script calls.
//
// The script is the concatenation of the files in assets, unchanged: there is no build step and no
// third-party code. It draws in a shadow root, creates all elements itself and takes its styles from a
// style sheet object, so it works on a page that forbids everything inline. It shows what an agent or a
// person says as plain text.
//
// A visitor without a credential gets a token from POST /widget/visits. The token makes the visitor a
// separate user ([access.Visitors]); its scope opens the routes of this package and no other. A website
// with users of its own gives the script a credential with the scope chat.
//
// A user has one conversation here; its id is derived from the user's. Messages have the numbers of the
// stored ones. So the script shows each message once, whether it comes as an answer, from a person who
// has taken over, or after a reload.
package widget
