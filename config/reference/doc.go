// Package reference explains keys: what people write in files and in expressions, and what they get.
//
// A package that reads keys has their texts in a YAML file beside its code ([Texts]) and returns them
// as an [Area], with what the code itself knows: type, default, limits. A [Library] holds all areas and
// finds a key by its path, by the end of its path, or the nearest ones to a wrong one. A [Page] is for
// terminals; a test of the command writes the pages of docs/reference.
package reference
