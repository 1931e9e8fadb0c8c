package phrase

import (
	"strings"

	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/naming"
)

// Language holds the words for dates, times, money and lists in one language. A nil Language
// is English without dates; languages without a table use it.
type Language struct {
	weekdays, months []string
	day              string // {w}, {d}, {m} and {y}: weekday, day, month and year
	at               string // between a day and a time
	to, from, until  string // of ranges
	half             bool   // 12-hour clock, "8:45 am"
	andWord, orWord  string
	more             string // ends a shortened list; "": lists stay whole
	yes, no          string
	units            map[byte][2]string // of durations: singular and plural; month is N
	point, group     string             // of amounts
	after            bool               // the currency sign follows the amount
	leadWords        string             // words that lead to a value, between spaces
	askWords         string             // words that a question starts with, between spaces
	every            *everyWords        // recurrences; nil: shown unchanged
}

// wordTables are the languages with words, by base tag.
var wordTables = map[string]*Language{
	"en": {
		weekdays: strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
		months:   strings.Fields("January February March April May June July August September October November December"),
		day:      "{w}, {d} {m} {y}", at: " at ", to: " to ", from: "from ", until: "until ", half: true,
		andWord: "and", orWord: "or", more: "more", yes: "yes", no: "no", point: ".", group: ",",
		units:     unitWords("year years month months week weeks day days hour hours minute minutes second seconds"),
		leadWords: " of for to at on in by with from named called about as and or the a an ",
		askWords: " which what when where who whose whom how why could can may would will shall should do does did is are was please" +
			" tell give enter type choose pick name say for on at to in from by and the your ",
		every: englishEvery,
	},
	"de": {
		weekdays: strings.Fields("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
		months:   strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		day:      "{w}, {d}. {m} {y}", at: " um ", to: " bis ", from: "ab ", until: "bis ",
		andWord: "und", orWord: "oder", more: "anderes mehr", yes: "ja", no: "nein", point: ",", group: ".", after: true,
		units:     unitWords("Jahr Jahre Monat Monate Woche Wochen Tag Tage Stunde Stunden Minute Minuten Sekunde Sekunden"),
		leadWords: " von für nach zu am an im in um mit aus bei und oder der die das den dem ",
	},
	"fr": {
		weekdays: strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi"),
		months:   strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		day:      "{w} {d} {m} {y}", at: " à ", to: " à ", from: "à partir de ", until: "jusqu'à ",
		andWord: "et", orWord: "ou", more: "autre chose", yes: "oui", no: "non", point: ",", group: "\u202f", after: true,
		units:     unitWords("an ans mois mois semaine semaines jour jours heure heures minute minutes seconde secondes"),
		leadWords: " de du des pour à au aux en dans par avec et ou le la les ",
	},
	"es": {
		weekdays: strings.Fields("domingo lunes martes miércoles jueves viernes sábado"),
		months:   strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		day:      "{w}, {d} de {m} de {y}", at: " a las ", to: " a ", from: "desde ", until: "hasta ",
		andWord: "y", orWord: "o", more: "algo más", yes: "sí", no: "no", point: ",", group: ".", after: true,
		units:     unitWords("año años mes meses semana semanas día días hora horas minuto minutos segundo segundos"),
		leadWords: " de del para a al en por con y o el la los las ",
	},
	"it": {
		weekdays: strings.Fields("domenica lunedì martedì mercoledì giovedì venerdì sabato"),
		months:   strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		day:      "{w} {d} {m} {y}", at: " alle ", to: " – ", from: "da ", until: "fino a ",
		andWord: "e", orWord: "o", yes: "sì", no: "no", point: ",", group: ".", after: true,
		units:     unitWords("anno anni mese mesi settimana settimane giorno giorni ora ore minuto minuti secondo secondi"),
		leadWords: " di del per a al in con da e o il la i le ",
	},
	"nl": {
		weekdays: strings.Fields("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"),
		months:   strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
		day:      "{w} {d} {m} {y}", at: " om ", to: " tot ", from: "vanaf ", until: "tot ",
		andWord: "en", orWord: "of", yes: "ja", no: "nee", point: ",", group: ".", after: true,
		units:     unitWords("jaar jaar maand maanden week weken dag dagen uur uur minuut minuten seconde seconden"),
		leadWords: " van voor naar op om in aan met bij uit en of de het een ",
	},
}

// unitWords splits singular and plural of year, month, week, day, hour, minute and second.
func unitWords(list string) map[byte][2]string {
	units, f := map[byte][2]string{}, strings.Fields(list)
	for i, letter := range []byte("YNWDHMS") {
		units[letter] = [2]string{f[2*i], f[2*i+1]}
	}
	return units
}

// For returns the words of a tag's language; nil if it has none.
func For(tag string) *Language { return wordTables[language.Base(tag)] }

// JoinAnd joins items in the language.
func (w *Language) JoinAnd(items []string) string { return naming.Join(items, " "+w.and()+" ") }

// JoinOr joins alternatives in the language.
func (w *Language) JoinOr(items []string) string { return naming.Join(items, " "+w.or()+" ") }

// More returns the words that end a shortened list; "" if lists stay whole.
func (w *Language) More() string {
	if w == nil {
		return ""
	}
	return w.more
}

func (w *Language) and() string {
	if w == nil {
		return "and"
	}
	return w.andWord
}

func (w *Language) or() string {
	if w == nil {
		return "or"
	}
	return w.orWord
}

func (w *Language) boolean(v bool) string {
	switch {
	case w == nil && v:
		return "yes"
	case w == nil:
		return "no"
	case v:
		return w.yes
	}
	return w.no
}

// leads reports whether a word means nothing without the value after it.
func (w *Language) leads(word string) bool {
	if w == nil {
		w = wordTables["en"]
	}
	return word != "" && strings.Contains(w.leadWords, " "+strings.ToLower(word)+" ")
}
