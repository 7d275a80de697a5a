"""Trains a head: a small network that reads one language from the states of the embedded encoder. See README.md.

Prints one line of JSON for each finished step.
"""

import argparse
import gzip
import hashlib
import json
import random
from pathlib import Path

import torch

from head_network import write_heads
from head_spelling import RULES, Spelling
from head_training import Training, read_clips, read_states, tell, unit_errors
from head_words import WordCounts, WordModel

ENCODER = Path(__file__).parent.parent / "whisper-base" / "onnx" / "encoder_model.onnx"
STATES = 512
SCRIPTS = {"hi": "Devanagari", "ta": "Tamil", "te": "Telugu", "ar": "Arabic"}
# Languages that the model takes for this one, or can't tell from it.
ALIKE = {"hi": ["ur"], "ta": ["ml", "kn", "si"], "id": ["ms", "jw"]}
SEARCH = {"wordWeight": 1.8, "wordReward": -1, "joinReward": -8, "beam": 30, "tokens": 1500, "sureBlank": -0.02}
LOWEST_GAP = -2.6
# How much the clips' own texts count beside other texts, and how rare a word and a pair may be.
CLIP_WEIGHT, LEAST_WORD, LEAST_GRAM = 3.0, 0.9, 0.9


def options_of_caller():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=Path, required=True, help="folder of clips.tsv and states of the clips")
    parser.add_argument("--language", required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the head")
    parser.add_argument("--name", help="name of the head; the language and -1 by default")
    parser.add_argument("--text", action="append", default=[], help="FILE or FILE=WEIGHT: sentences, one a line, or packed")
    parser.add_argument("--words", action="append", default=[], help="FILE or FILE=WEIGHT: a word and its count a line")
    parser.add_argument("--order", type=int, default=3, help="words that are counted together, at most")
    parser.add_argument("--folds", type=int, default=10, help="tests on unseen speakers or clips; 0 for none")
    parser.add_argument("--heads", type=int, default=1, help="networks whose probabilities are averaged")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--averaged-share", type=float, default=0.25, help="share of the epochs whose weights are averaged")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--reach", type=int, default=4, help="frames to either side that a layer hears")
    parser.add_argument("--dropout", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def lines_of(argument):
    """The lines of a file that may be packed, and its weight."""
    name, _, weight = argument.partition("=")
    opened = gzip.open(name, "rt", encoding="utf-8") if name.endswith(".gz") else open(name, encoding="utf-8")
    with opened as file:
        return file.read().splitlines(), float(weight or 1)


class Trainer:
    def __init__(self, options):
        self.options = options
        clips = read_clips(options.states)
        script = SCRIPTS.get(options.language, "Latin")
        self.spelling = Spelling.of_texts(script, [clip.text for clip in clips])
        targets = {clip.name: self.spelling.target(clip.text) for clip in clips}
        self.clips = [clip for clip in clips if targets[clip.name] is not None]
        self.targets = {clip.name: targets[clip.name] for clip in self.clips}
        self.states = {file: read_states(file, STATES) for clip in self.clips for file in clip.files}
        self.texts = [lines_of(argument) for argument in options.text]
        self.lists = [lines_of(argument) for argument in options.words]
        tell(step="read", clips=len(self.clips), leftOut=len(clips) - len(self.clips), units=len(self.spelling.units))

    def words_of(self, clips):
        counts = WordCounts(self.spelling, self.options.order)
        for lines, weight in self.texts:
            counts.add_text(lines, weight)
        for lines, weight in self.lists:
            counts.add_list(lines, weight)
        counts.add_text([clip.text for clip in clips], CLIP_WEIGHT, required=True)
        return WordModel(counts, LEAST_WORD, LEAST_GRAM)

    def train(self, clips, seed, judge=None):
        options = argparse.Namespace(**{**vars(self.options), "seed": seed})
        return Training(clips, self.targets, self.states, len(self.spelling.units), options).run(judge)

    def run(self):
        options = self.options
        errors = [self.fold(number, part) for number, part in enumerate(self.folds(), 1)]
        heads = []
        for number in range(options.heads):
            heads.append(self.train(self.clips, options.seed + number))
            tell(step="head", n=number + 1, of=options.heads)
        self.write(options.out, heads, self.words_of(self.clips))
        speakers = {clip.speaker for clip in self.clips} - {"-"}
        mean = sum(errors) / len(errors) if errors else None
        tell(step="done", unitErrorPercent=mean, clips=len(self.clips), speakers=len(speakers) or None)

    def folds(self):
        """Parts of the clips; nobody speaks in two of them where speakers are known."""
        groups = {}
        for clip in self.clips:
            groups.setdefault(clip.name if clip.speaker == "-" else clip.speaker, []).append(clip)
        order = sorted(groups.values(), key=len, reverse=True)
        random.Random(self.options.seed).shuffle(order)
        parts = [[] for _ in range(min(self.options.folds, len(order)))]
        for group in order:
            min(parts, key=len).extend(group)
        return parts

    def fold(self, number, unseen):
        """Tests on clips that neither the network nor the words have seen; the recognizer counts wrong words in its folder."""
        names = {clip.name for clip in unseen}
        seen = [clip for clip in self.clips if clip.name not in names]
        head = self.train(seen, self.options.seed)
        error = round(100 * unit_errors(head, unseen, self.targets, self.states), 2)
        folder = self.options.out / "folds" / str(number)
        self.write(folder, [head], self.words_of(seen))
        (folder / "unseen.txt").write_text("".join(f"{name}\n" for name in sorted(names)), "utf-8")
        tell(step="fold", n=number, of=self.options.folds, clips=len(unseen), unitErrorPercent=error)
        return error

    def write(self, folder, heads, words):
        folder.mkdir(parents=True, exist_ok=True)
        write_heads(heads, folder / "head.onnx")
        self.spelling.write(folder / "units.json")
        words.write(folder)
        write_manifest(folder, self.options.language, self.options.name, self.spelling)


def write_manifest(folder, language, name, spelling):
    files = ["head.onnx", "units.json", "words.txt.gz", "grams.bin.gz"]
    files += [file for file in ["numbers.json"] if (folder / file).exists()]
    manifest = {
        "format": 1,
        "language": language,
        "name": name or f"{language}-1",
        "encoder": digest(ENCODER),
        "states": STATES,
        "script": spelling.script,
        "sentenceEnd": spelling.sentence_end,
        "detection": {"with": ALIKE.get(language, []), "least": 0.5, "leastWithHint": 0.2},
        "search": SEARCH,
        "lowestGap": LOWEST_GAP,
        "files": {file: digest(folder / file) for file in files},
    }
    (folder / "head.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", "utf-8")
    sums = [f"{digest(folder / file)}  {file}\n" for file in sorted(["head.json", *files])]
    (folder / "SHA256SUMS").write_text("".join(sums), "utf-8")


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main():
    options = options_of_caller()
    if SCRIPTS.get(options.language, "Latin") not in RULES:
        raise SystemExit(f"{options.language}: no rules of its script in head_spelling.py")
    torch.set_num_threads(options.threads)
    Trainer(options).run()


if __name__ == "__main__":
    main()
