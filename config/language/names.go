package language

import "cmp"

// englishNames are the English names of languages.
var englishNames = map[string]string{
	"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
	"da": "Danish", "sv": "Swedish", "nb": "Norwegian", "no": "Norwegian", "fi": "Finnish", "pl": "Polish", "cs": "Czech",
	"ja": "Japanese", "zh": "Chinese", "ko": "Korean", "ru": "Russian", "uk": "Ukrainian", "tr": "Turkish", "ar": "Arabic",
}

// EnglishName returns the English name of a tag's language; the tag where the name is not known.
func EnglishName(tag string) string { return cmp.Or(englishNames[Base(tag)], tag) }
