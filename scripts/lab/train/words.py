"""Cuts texts into the keys of the table exactly as memory/embed/words.go does."""
import re
import unicodedata

MAX_WORD = 48

# Words whose apostrophe is dropped when a text is read: the teacher is asked with it.
CONTRACTIONS = """
ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't
mustn't needn't shouldn't wasn't weren't won't wouldn't i'm i've i'd i'll you're you've
you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll
they're they've they'd they'll that's that'd that'll there's there'd there'll here's
what's what're what'd what'll who's who'd who'll where's where'd when's why's why'd how's
how'd how're let's could've should've would've might've must've today's tomorrow's
y'all ma'am o'clock everyone's everybody's someone's somebody's something's nothing's
""".split()


def tokens(text):
    """Lower-case words of ASCII letters, and "0" for each number."""
    plain = unicodedata.normalize("NFD", text.lower().replace("’", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).replace("'", "")
    return [t[:MAX_WORD] if t[0].isalpha() else "0" for t in re.findall(r"[a-z]+|[0-9][0-9.,]*", plain)]


class Cutter:
    """Looks words up, and cuts the unknown ones into pieces, in rows of the table."""

    def __init__(self, keys):
        self.rows = {key: i for i, key in enumerate(keys)}
        self.known = {}

    def pieces(self, word):
        rows, rest, mark = [], word, ""
        while rest:
            for end in range(len(rest), 0, -1):
                row = self.rows.get(mark + rest[:end])
                if row is not None:
                    rows.append(row)
                    break
            rest, mark = rest[end:], "#"
        return rows

    def word(self, word):
        if word not in self.known:
            row = self.rows.get(word)
            self.known[word] = self.pieces(word) if row is None else [row]
        return self.known[word]

    def text(self, text):
        return [row for word in tokens(text) for row in self.word(word)]
