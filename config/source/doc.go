// Package source reads the files that people write: agents, settings, keys, conversations.
//
// [Parse] decodes YAML into a tree of [Node]s that know their places in the file. Code that walks
// the tree collects what is wrong as [Problems]: each gives file, line, column and path, says
// what is wrong, and what to do. [ReadFile] refuses what is no regular file and what is too
// large, and [Expand] fills in ${NAME}.
//
// It is the only package that imports the YAML library.
package source
