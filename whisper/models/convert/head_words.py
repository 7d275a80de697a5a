"""The words of a language and how they follow each other: words.txt.gz and grams.bin.gz, counted in texts and word lists."""

import gzip
import math
from array import array
from collections import Counter, defaultdict

MAGIC, VERSION = 0x4D4C5352, 1
START, END = "<s>", "</s>"
END_PROBABILITY = 0.04
DISCOUNT = 0.6
LARGEST_COST = 65535


class WordCounts:
    """Weighted counts of words and of pairs and triples of words."""

    def __init__(self, spelling, order):
        self.spelling, self.order = spelling, order
        self.words = Counter()
        self.required = set()
        self.grams = [Counter() for _ in range(order - 1)]

    def add_text(self, lines, weight, required=False):
        """`lines` are sentences. `required` words stay however rare they are."""
        for line in lines:
            words = self.spelling.words(line)
            if not words:
                continue
            for word in words:
                if word:
                    self.words[word] += weight
                    if required:
                        self.required.add(word)
            sequence = [START, *words, END]
            for length, counts in enumerate(self.grams, 2):
                for at in range(len(sequence) - length + 1):
                    gram = tuple(sequence[at : at + length])
                    if None not in gram:
                        counts[gram] += weight

    def add_list(self, lines, weight, required=False):
        """`lines` are a word and its count, divided by white space."""
        for line in lines:
            fields = line.split()
            words = self.spelling.words(fields[0]) if len(fields) == 2 else []
            if len(words) == 1 and words[0]:
                self.words[words[0]] += weight * float(fields[1])
                if required:
                    self.required.add(words[0])


class WordModel:
    """Back-off probabilities: what a gram says is interpolated with what shorter ones say, and final."""

    def __init__(self, counts, least_word, least_gram, most_words=None):
        spelling = counts.spelling
        known = [
            word
            for word, count in counts.words.items()
            if (count >= least_word or word in counts.required)
            and spelling.is_well_formed(word)
            and spelling.spell(word) is not None
        ]
        known.sort(key=lambda word: (-counts.words[word], word))
        self.words = known[:most_words]
        self.index = {word: number for number, word in enumerate(self.words)}
        total = sum(counts.words[word] for word in self.words)
        self.first = {word: (1 - END_PROBABILITY) * counts.words[word] / total for word in self.words}
        self.first[END] = END_PROBABILITY
        self.contexts, self.backoff = {}, {}
        for length, grams in enumerate(counts.grams, 2):
            self._add(grams, least_gram if length == 2 else 2 * least_gram)

    def _add(self, grams, least):
        followers = defaultdict(dict)
        for gram, count in grams.items():
            *context, word = gram
            if all(one == START or one in self.index for one in context) and (word == END or word in self.index):
                followers[tuple(context)][word] = count
        for context, counts in followers.items():
            kept = {word: count for word, count in counts.items() if count >= least}
            if not kept:
                continue
            total = sum(counts.values())
            shares = {word: (count - DISCOUNT * min(1, count)) / total for word, count in kept.items()}
            left = 1 - sum(shares.values())
            shorter = context[1:]
            self.contexts[context] = {
                word: share + left * self.probability(shorter, word) for word, share in shares.items()
            }
            self.backoff[context] = left

    def probability(self, context, word):
        weight = 1.0
        while context:
            shares = self.contexts.get(context)
            if shares is not None:
                if word in shares:
                    return weight * shares[word]
                weight *= self.backoff[context]
            context = context[1:]
        return weight * self.first[word]

    def perplexity(self, texts, spelling):
        """Of texts that weren't counted, and the share of their words that aren't known."""
        loss = seen = unknown = 0
        for text in texts:
            context = (START,)
            for word in [*spelling.words(text), END]:
                if word != END and word not in self.index:
                    unknown, context = unknown + 1, ()
                    continue
                loss -= math.log(self.probability(context, word))
                seen += 1
                context = (*context, word)[-2:]
        return math.exp(loss / max(1, seen)), unknown / max(1, seen + unknown)

    def write(self, folder):
        with gzip.GzipFile(folder / "words.txt.gz", "wb", 9, mtime=0) as file:
            file.write("".join(f"{word}\n" for word in self.words).encode())
        with gzip.GzipFile(folder / "grams.bin.gz", "wb", 9, mtime=0) as file:
            for numbers in self._tables():
                file.write(numbers.tobytes())

    def _tables(self):
        """The arrays of grams.bin in their order; little-endian like the machines that this runs on."""
        order = sorted((c for c in self.contexts if c != (START,)), key=lambda c: (len(c), [self._number(w) for w in c]))
        contexts = [None, (START,), *order]
        numbers = {context: number for number, context in enumerate(contexts)}

        def longest(context):
            while context and context not in numbers:
                context = context[1:]
            return numbers[context] if context else 0

        start, shorter, backoff = array("I"), array("I"), array("H")
        words, following, costs = array("I"), array("I"), array("H")
        for context in contexts:
            start.append(len(words))
            shorter.append(longest(context[1:]) if context and len(context) > 1 else 0)
            backoff.append(cost_of(self.backoff.get(context, 1.0)))
            for word, probability in sorted(self.contexts.get(context, {}).items(), key=lambda e: self._number(e[0])):
                words.append(self._number(word))
                following.append(0 if word == END else longest((*context, word)[-2:]))
                costs.append(cost_of(probability))
        start.append(len(words))
        first_next = array("I", (longest((word,)) for word in self.words))
        first = array("H", (cost_of(self.first[word]) for word in [*self.words, END]))
        head = array("I", [MAGIC, VERSION, len(self.words), len(contexts), len(words)])
        return [head, start, shorter, first_next, words, following, first, backoff, costs]

    def _number(self, word):
        return len(self.words) if word == END else self.index.get(word, -1)


def cost_of(probability):
    return min(LARGEST_COST, round(-1000 * math.log(max(probability, 1e-28))))
