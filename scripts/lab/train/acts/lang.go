package main

import (
	"strings"

	"github.com/slotway/slotway/config/language"
)

// lang is the language of a model, with the words around its clauses.
type lang struct {
	tag        string
	keep       int // number of features in the model
	openings   []string
	joinings   []string
	closings   []string
	courtesies []string
}

// langs holds the languages. A new one needs a row here, phrases.TAG and its folder of tables.
var langs = map[string]*lang{
	"en": {
		keep:       60000,
		openings:   list("um,uh,well,oh,so,hey,look,ok so,please,sorry,actually well,listen,hmm,yeah so,right so"),
		joinings:   list("and,but,so,because,also,then,and also,but then"),
		closings:   list("please,then,now,pls,plz,man,sir,mate,ok,right now,i think,though,for me,buddy,lol"),
		courtesies: list("thanks,thank you,thx,thanks a lot,cheers,thank you very much,many thanks,thank you so much"),
	},
	"de": {
		keep:       20000,
		openings:   list("ähm,äh,also,na,hm,tja,hey,ok also,bitte,sorry,entschuldigung,hallo,naja,ach,oh"),
		joinings:   list("und,aber,weil,also,dann,und dann,außerdem,aber dann,und auch"),
		closings:   list("bitte,dann,jetzt,mal,halt,eben,ok,oder,glaub ich,gerade,pls,eigentlich,denn"),
		courtesies: list("danke,vielen dank,danke schön,danke sehr,besten dank,thx,herzlichen dank"),
	},
	"es": {
		keep:       20000,
		openings:   list("eh,pues,bueno,oye,mira,a ver,por favor,perdón,hola,disculpe,este,ah,oh,entonces"),
		joinings:   list("y,pero,porque,así que,también,luego,y también,entonces,y además"),
		closings:   list("por favor,entonces,ahora,porfa,vale,ya,creo,pues,gracias a dios,señor,ahora mismo"),
		courtesies: list("gracias,muchas gracias,mil gracias,grax,se lo agradezco,muchísimas gracias"),
	},
	"fr": {
		keep:       20000,
		openings:   list("euh,ben,bon,alors,eh bien,dites,s'il vous plaît,pardon,bonjour,excusez-moi,ah,oh,hum,du coup"),
		joinings:   list("et,mais,parce que,donc,aussi,puis,et aussi,mais alors,et puis"),
		closings:   list("s'il vous plaît,svp,alors,maintenant,stp,quoi,merci bien,je crois,tout de suite,en fait,du coup"),
		courtesies: list("merci,merci beaucoup,merci bien,je vous remercie,mille mercis,grand merci"),
	},
}

func list(words string) []string { return strings.Split(words, ",") }

// speaking returns a language by its tag. One without a row learns from its phrases alone.
func speaking(tag string) *lang {
	l := langs[tag]
	if l == nil {
		l = &lang{keep: 20000, openings: []string{""}, joinings: []string{""}, closings: []string{""}, courtesies: []string{""}}
	}
	l.tag = tag
	return l
}

// folder returns the folder of the phrases.
func (l *lang) folder() string {
	if l.tag == language.English {
		return "phrases"
	}
	return "phrases." + l.tag
}

// fillers returns the file of the words that fill the phrases.
func (l *lang) fillers() string {
	if l.tag == language.English {
		return "fillers.txt"
	}
	return l.folder() + "/fillers"
}

// model returns the name of the model file.
func (l *lang) model() string {
	if l.tag == language.English {
		return "model.bin"
	}
	return "model." + l.tag + ".bin"
}

// fold returns a text as the model reads it.
func (l *lang) fold(text string) string {
	if l.tag == language.English {
		return text
	}
	return language.Fold(l.tag, text)
}
