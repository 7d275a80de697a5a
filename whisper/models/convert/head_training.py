"""Trains the network of a head on states of the recognizer's own encoder."""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from head_network import Head

BATCH = 8
PEAK_RATE, WARM_SHARE, WEIGHT_DECAY, LARGEST_GRADIENT = 3e-3, 0.15, 0.02, 1.0
# Frames of 20 ms: in every hundred a stretch is hidden; so is a band of the features of each clip.
MASK_EVERY, MASK_FRAMES, MASK_FEATURES = 100, 10, 32


@dataclass(frozen=True)
class Clip:
    """What is said in one recording, and the files of its states: as it is, and at other speeds or loudness."""

    name: str
    speaker: str
    text: str
    files: tuple[Path, ...]


def tell(**step):
    print(json.dumps(step, ensure_ascii=False), flush=True)


def read_clips(folder):
    """Clips of a folder of states: `clips.tsv` names id, speaker, frames and text; `ID@1.1` is the same clip in another way."""
    first, *lines = (folder / "clips.tsv").read_text("utf-8").splitlines()
    rows = [dict(zip(first.split("\t"), line.split("\t"))) for line in lines]
    files = {}
    for row in rows:
        files.setdefault(row["id"].split("@")[0], []).append(folder / f"{row['id']}.f16")
    return [
        Clip(row["id"], row["speaker"], row["text"], tuple(sorted(files[row["id"]], key=lambda file: len(file.name))))
        for row in rows
        if "@" not in row["id"]
    ]


def read_states(file, width):
    return torch.from_numpy(np.fromfile(file, np.float16).reshape(-1, width))


def unit_errors(head, clips, targets, states):
    """Share of wrong units in the likeliest path: no words, no search."""
    head.eval()
    wrong = total = 0
    for clip in clips:
        path = head.probabilities(states[clip.files[0]].float()).argmax(-1)
        units = [unit for unit in torch.unique_consecutive(path).tolist() if unit]
        wrong += distance(targets[clip.name], units)
        total += len(targets[clip.name])
    return wrong / max(1, total)


def distance(expected, units):
    row = np.arange(len(expected) + 1)
    expected = np.array(expected)
    for unit in units:
        replaced = np.minimum(row[:-1] + (expected != unit), row[1:] + 1)
        row = np.concatenate([[row[0] + 1], replaced])
        # Each position may also be reached by leaving out expected units before it.
        row = np.minimum.accumulate(row - np.arange(len(row))) + np.arange(len(row))
    return int(row[-1])


class Training:
    """Trains one head. The weights are averaged over the last part of the epochs."""

    def __init__(self, clips, targets, states, units, options):
        self.clips, self.targets, self.states, self.options = clips, targets, states, options
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        everything = torch.cat([states[clip.files[0]] for clip in clips]).float()
        mean, deviation = everything.mean(0), everything.std(0) + 1e-5
        shape = {"width": options.width, "layers": options.layers, "reach": options.reach, "dropout": options.dropout}
        self.head = Head(mean, deviation, units, **shape)
        self.average = Head(mean, deviation, units, **shape)
        self.averaged = 0

    def run(self, judge=None):
        """`judge` gets a head and gives its share of wrong units; it only watches."""
        options = self.options
        steps = options.epochs * len(self.batches())
        optimizer = torch.optim.AdamW(self.head.parameters(), PEAK_RATE, weight_decay=WEIGHT_DECAY)
        rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, steps, pct_start=WARM_SHARE)
        begun = time.process_time()
        for epoch in range(options.epochs):
            self.head.train()
            losses = []
            for batch in self.batches():
                losses.append(self.step(batch, optimizer))
                rate.step()
            if epoch >= options.epochs * (1 - options.averaged_share):
                self.add_to_average()
            figures = {}
            if judge and (epoch % 5 == 4 or epoch == options.epochs - 1):
                figures["unitErrorPercent"] = round(100 * judge(self.head), 2)
                if self.averaged:
                    figures["averagedUnitErrorPercent"] = round(100 * judge(self.average), 2)
            tell(step="epoch", n=epoch + 1, of=options.epochs, loss=round(float(np.mean(losses)), 4),
                 processorSeconds=round(time.process_time() - begun), **figures)
        return (self.average if self.averaged else self.head).eval()

    def batches(self):
        """Clips of about the same length together, in another order and company each time."""
        lengths = {clip.name: len(self.states[clip.files[0]]) * self.random.uniform(0.9, 1.1) for clip in self.clips}
        ordered = sorted(self.clips, key=lambda clip: lengths[clip.name])
        batches = [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]
        return [batches[number] for number in self.random.permutation(len(batches))]

    def step(self, batch, optimizer):
        samples = [self.states[clip.files[self.random.integers(len(clip.files))]] for clip in batch]
        frames = [len(one) for one in samples]
        inputs = torch.zeros(len(batch), max(frames), samples[0].shape[1])
        mask = torch.zeros(len(batch), max(frames), 1)
        for row, one in enumerate(samples):
            inputs[row, : len(one)] = self.hide(self.head.normalize(one.float()))
            mask[row, : len(one)] = 1
        targets = [self.targets[clip.name] for clip in batch]
        with torch.autocast("cpu", torch.bfloat16):
            scores = self.head(inputs, mask)
        loss = torch.nn.functional.ctc_loss(
            scores.float().log_softmax(-1).transpose(0, 1),
            torch.tensor([unit for target in targets for unit in target]),
            torch.tensor(frames),
            torch.tensor([len(target) for target in targets]),
            reduction="sum",
            zero_infinity=True,
        ) / sum(map(len, targets))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.head.parameters(), LARGEST_GRADIENT)
        optimizer.step()
        return float(loss.detach())

    def hide(self, states):
        frames, features = states.shape
        for _ in range(max(1, frames // MASK_EVERY)):
            at = self.random.integers(frames)
            states[at : at + self.random.integers(1, MASK_FRAMES)] = 0
        at = self.random.integers(features - MASK_FEATURES)
        states[:, at : at + self.random.integers(MASK_FEATURES)] = 0
        return states

    def add_to_average(self):
        self.averaged += 1
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.head.parameters()):
                mean += (now - mean) / self.averaged
