// Package widget is a chat for websites: one script, GET /widget.js, that a page of any origin loads
// with one tag, and the routes that the script talks to.
//
// The script is put together from the files of assets, which are sent as they are: there is no build
// step and no third-party code. It draws in a shadow root, makes all elements itself and takes its
// styles from a style sheet object, so a page may forbid everything inline. What an agent or a person
// says is shown as text.
//
// Somebody whom the website does not know asks POST /widget/visits for a token, which makes them a user
// of their own ([access.Visitors]); its scope opens the routes of this package and no other. A website
// with users of its own gives the script a credential with the scope chat.
//
// A user has one conversation here, whose id follows from the user's. Texts have the numbers of the
// stored messages, by which the script shows each once, whether it came as an answer, was said by a
// person meanwhile, or is read back after a reload.
package widget
