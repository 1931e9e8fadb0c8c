// Package probe makes requests that an agent most likely does not serve, to see what it does with
// them: what people ask any bot ([Generic]), and what is near its own tasks because it is made of
// their words ([Near]). Nothing in it is drawn by chance: the same agent gets the same requests.
// The requests are English.
package probe
