package extract

import (
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// spellers say a whole number.
var spellers = map[string]func(n int) string{"de": german, "es": spanish, "fr": french, "fr-CH": swiss}

var (
	germanOnes = strings.Fields("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
	germanTens = strings.Fields("- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
)

func german(n int) string {
	switch {
	case n >= 1e6:
		head := "eine Million"
		if n >= 2e6 {
			head = german(n/1e6) + " Millionen"
		}
		if n%1e6 == 0 {
			return head
		}
		return head + " " + german(n%1e6)
	case n >= 1000:
		return germanHead(n/1000) + "tausend" + germanRest(n%1000)
	case n >= 100:
		return germanHead(n/100) + "hundert" + germanRest(n%100)
	case n >= 20 && n%10 == 0:
		return germanTens[n/10]
	case n >= 20:
		return germanHead(n%10) + "und" + germanTens[n/10]
	}
	return germanOnes[n]
}

// germanHead is a number before another part of one: "ein" hundert.
func germanHead(n int) string {
	return strings.TrimSuffix(german(n), "s") + strings.Repeat("s", message.Btoi(n%100 == 6))
}

func germanRest(n int) string {
	if n == 0 {
		return ""
	}
	return german(n)
}

var (
	spanishOnes     = strings.Fields("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve")
	spanishTens     = strings.Fields("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa")
	spanishHundreds = strings.Fields("- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos")
)

func spanish(n int) string {
	join := func(head string, rest int) string {
		if rest == 0 {
			return head
		}
		return head + " " + spanish(rest)
	}
	switch {
	case n >= 2e6:
		return join(spanishShort(n/1e6)+" millones", n%1e6)
	case n >= 1e6:
		return join("un millón", n%1e6)
	case n >= 2000:
		return join(spanishShort(n/1000)+" mil", n%1000)
	case n >= 1000:
		return join("mil", n%1000)
	case n == 100:
		return "cien"
	case n > 100:
		return join(spanishHundreds[n/100], n%100)
	case n >= 30 && n%10 == 0:
		return spanishTens[n/10]
	case n >= 30:
		return spanishTens[n/10] + " y " + spanishOnes[n%10]
	}
	return spanishOnes[n]
}

// spanishShort is a number before a noun: "veintiún mil".
func spanishShort(n int) string {
	s := spanish(n)
	switch {
	case n%100 == 21:
		return strings.TrimSuffix(s, "veintiuno") + "veintiún"
	case n%10 == 1 && n%100 != 11:
		return strings.TrimSuffix(s, "uno") + "un"
	}
	return s
}

var (
	frenchOnes = strings.Fields("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf")
	frenchTens = strings.Fields("- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
	swissTens  = strings.Fields("- - vingt trente quarante cinquante soixante septante huitante nonante")
)

func french(n int) string { return francophone(n, frenchTens, 20) }

func swiss(n int) string { return francophone(n, swissTens, 10) }

func francophone(n int, tens []string, long int) string {
	say := func(n int) string { return francophone(n, tens, long) }
	join := func(head string, rest int) string {
		if rest == 0 {
			return head
		}
		return head + " " + say(rest)
	}
	switch {
	case n >= 2e6:
		return join(say(n/1e6)+" millions", n%1e6)
	case n >= 1e6:
		return join("un million", n%1e6)
	case n >= 2000:
		return join(say(n/1000)+" mille", n%1000)
	case n >= 1000:
		return join("mille", n%1000)
	case n >= 200 && n%100 == 0:
		return say(n/100) + " cents"
	case n >= 200:
		return join(say(n/100)+" cent", n%100)
	case n >= 100:
		return join("cent", n%100)
	case n < 20:
		return frenchOnes[n]
	}
	rest := n % 10
	if long == 20 && n >= 60 {
		rest = n % 20
	}
	switch {
	case n == 80 && long == 20:
		return "quatre-vingts"
	case rest == 0:
		return tens[n/10]
	case (rest == 1 || rest == 11) && !(long == 20 && n > 80):
		return tens[n/10] + " et " + frenchOnes[rest]
	}
	return tens[n/10] + "-" + frenchOnes[rest]
}
