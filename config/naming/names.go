package naming

// IsName reports whether s is a letter or underscore followed by letters, digits and underscores.
func IsName(s string) bool {
	for i := range len(s) {
		if !IsNameByte(s[i], i == 0) {
			return false
		}
	}
	return s != ""
}

// IsNameByte reports whether a name may contain c; first: at its start.
func IsNameByte(c byte, first bool) bool {
	switch {
	case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return !first && '0' <= c && c <= '9'
}
