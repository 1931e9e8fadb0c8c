// Package naming helps with the names that people write in files: it checks their form
// ([IsName]), finds the known name nearest to a misspelt one ([Nearest]) and words the error
// and its remedy ([Unknown], [Suggest]).
package naming
