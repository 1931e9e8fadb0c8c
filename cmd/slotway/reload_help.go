package main

// reloadHelp is the help text about reloading.
const reloadHelp = `The agent's files are checked every second. A change is loaded when the files have been
unchanged for one more second, or at once on SIGHUP. If writing a file takes longer, write a
new file and rename it. Each conversation uses the new version from its next message on;
turns in progress finish with the old one. A version with an error is refused as a whole,
and the last good one keeps running. Settings are read only at the start.`
