const words = ["Start", " with", " less", " water.", " Then", " fold", " it", " twice."].map((text, index) => ({
  start: index / 2,
  end: index / 2 + 0.4,
  text,
}));
const lines = [words.slice(0, 4), words.slice(4)];
const segments = lines.map((line) => ({
  start: line[0]!.start,
  end: line.at(-1)!.end,
  text: line
    .map(({ text }) => text)
    .join("")
    .trim(),
}));

/** The service hears these words in every reel, unless the recognizer listens. */
export const heardWords = { text: segments.map(({ text }) => text).join(" "), segments, words };
