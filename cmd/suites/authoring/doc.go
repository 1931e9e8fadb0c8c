// Package authoring tests the author's path with the built program: the templates of `slotway init`
// are served, and the tutorial and the how-tos of docs do what they say.
package authoring
