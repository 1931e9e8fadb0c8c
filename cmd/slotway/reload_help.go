package main

// reloadHelp is the help text about reloading.
const reloadHelp = `The agent's files are looked at every second; a change is taken once the files have not
changed for a second more, so that one being written is not taken in halves (write a new
file and rename it where that takes longer), or at SIGHUP at once. It takes effect at the
next message of each conversation, and those under way go on. A version with an error is
refused as a whole: the last good one keeps running. Settings are read at the start only.`
