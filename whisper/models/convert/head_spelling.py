"""How words are spelled in the units that a head hears: the same rules as units.json, which the recognizer reads."""

import json
import re
import unicodedata
from collections import Counter

BLANK, BETWEEN_WORDS = "", "|"

# What can't be told apart by ear, or is written in two ways, is one unit.
RULES = {
    "Devanagari": {
        "letters": "\u0900-\u0963\u0970-\u097f",
        "drop": ["\u094d", "\u093c", "\u200c", "\u200d"],
        "replace": {
            **{pair: pair[0] for pair in ("\u0915\u093c", "\u0916\u093c", "\u0917\u093c", "\u092b\u093c", "\u092f\u093c")},
            **{"ँ": "ं", "ङ": "ं", "ञ": "न", "ळ": "ल", "ऌ": "ल", "ॠ": "ऋ", "ॄ": "ृ"},
            **{"ऑ": "आ", "ॉ": "ा", "ऍ": "ए", "ऎ": "ए", "ॅ": "े", "ॆ": "े", "ऒ": "ओ", "ॊ": "ो"},
        },
        "units": ["\u0921\u093c", "\u0922\u093c", "\u091c\u093c"],
        "malformed": "^[\u093c\u093e-\u094d\u0900-\u0903]|[\u093e-\u094c]{2}|\u094d[\u093e-\u094d]|[\u0951\u0952\u093d\u0950]|[\u0900-\u0902][\u093e-\u094c]",
        "sentenceEnd": "।",
    },
    "Tamil": {"letters": "\u0b80-\u0bff", "drop": ["\u200c", "\u200d"], "sentenceEnd": "."},
    "Telugu": {"letters": "\u0c00-\u0c7f", "drop": ["\u200c", "\u200d"], "sentenceEnd": "."},
    "Arabic": {
        # With the marks that make up some letters in normalization form D, and vowel signs.
        "letters": "\u0621-\u065f\u0670-\u06d3",
        "drop": ["\u0640", *map(chr, range(0x64B, 0x660)), "\u0670"],
        "replace": {"ى": "ي", "ة": "ه"},
        "sentenceEnd": ".",
    },
    "Latin": {"letters": "a-z\u0300-\u036f'\u2019\\-", "drop": ["'", "\u2019", "-"], "sentenceEnd": "."},
}


def decomposed(text):
    return unicodedata.normalize("NFD", text.lower())


class Spelling:
    """The units of a language, and the way from words to them."""

    def __init__(self, script, units):
        rules = RULES[script]
        self.script, self.sentence_end = script, rules["sentenceEnd"]
        self.drop = rules["drop"]
        self.replace = {decomposed(key): value for key, value in rules.get("replace", {}).items()}
        self.units = units
        self.index = {unit: number for number, unit in enumerate(units)}
        self._letters = re.compile(f"[{rules['letters']}\u200c\u200d]+")
        self._malformed = re.compile(rules.get("malformed", "(?!)"))
        keys = sorted([*self.replace, *[unit for unit in units if len(unit) > 1]], key=len, reverse=True)
        self._long = [key for key in keys if len(key) > 1]

    @classmethod
    def of_texts(cls, script, texts, least=3):
        """Units are the letters that the texts have at least `least` times."""
        first = cls(script, [BLANK, BETWEEN_WORDS, *RULES[script].get("units", [])])
        counts = Counter()
        for text in texts:
            for word in first.words(text):
                counts.update(first._pieces(decomposed(word or "")))
        kept = sorted(unit for unit, count in counts.items() if count >= least)
        return cls(script, [BLANK, BETWEEN_WORDS, *kept])

    def words(self, text):
        """The words of a text in NFC; `None` for what is in no word list: numbers, and words of another script."""
        spellings = []
        for token in re.findall(r"[^\W_][\w\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u064b-\u065f\u0670\u200c\u200d'\u2019-]*", decomposed(text)):
            token = token.strip("'\u2019-")
            written = re.sub("[\u200c\u200d\u0640\u064b-\u0652\u0670]", "", token)
            spellings.append(unicodedata.normalize("NFC", written) if written and self._letters.fullmatch(token) else None)
        return spellings

    def is_well_formed(self, word):
        return len(word) <= 24 and not self._malformed.search(decomposed(word))

    def _pieces(self, word):
        """Units of a decomposed word, whether known or not."""
        pieces, at = [], 0
        while at < len(word):
            key = next((long for long in self._long if word.startswith(long, at)), word[at])
            at += len(key)
            if key in self.replace:
                pieces += self.replace[key]
            elif key not in self.drop or key in self.index:
                pieces.append(key)
        return pieces

    def spell(self, word):
        """Numbers of a word's units; `None` when it has a letter that the head doesn't know."""
        numbers = [self.index.get(piece) for piece in self._pieces(decomposed(word))]
        return None if not numbers or None in numbers else numbers

    def target(self, text):
        """What a head should write for a text: its words' units with `|` before, between and after them."""
        target = [self.index[BETWEEN_WORDS]]
        for word in self.words(text):
            numbers = self.spell(word) if word else None
            if numbers is None:
                return None
            target += [*numbers, self.index[BETWEEN_WORDS]]
        return target

    def write(self, path):
        fields = {"units": self.units, "drop": self.drop, "replace": self.replace}
        path.write_text(json.dumps(fields, ensure_ascii=False, indent=1) + "\n", "utf-8")
