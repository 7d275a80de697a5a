import { expect, test } from "vitest";
import { createInterimTelling } from "../../src/features/transcription/interim-telling.ts";

const passages = (...texts: readonly string[]) => texts.map((text) => ({ language: "en", text }));
const interim = (attempt: number, ...texts: readonly string[]) => ({ attempt, passages: passages(...texts) });

test("a follower is told what it doesn't know, and nothing twice", () => {
  const { newsIn, told } = createInterimTelling();
  expect(newsIn(undefined), "that there is nothing").toEqual({ from: 0, passages: [] });
  told(undefined);
  expect(newsIn(undefined)).toBeUndefined();
  expect(newsIn(interim(1, "One."))).toEqual({ from: 0, passages: passages("One.") });
  told(interim(1, "One."));
  expect(newsIn(interim(1, "One."))).toBeUndefined();
  expect(newsIn(interim(1, "One.", "Two."))).toEqual({ from: 1, passages: passages("Two.") });
});

test("what it couldn't take comes with the next one", () => {
  const { newsIn, told } = createInterimTelling();
  told(interim(1, "One."));
  newsIn(interim(1, "One.", "Two."));
  expect(newsIn(interim(1, "One.", "Two.", "Three."))).toEqual({ from: 1, passages: passages("Two.", "Three.") });
});

test("another attempt begins again", () => {
  const { newsIn, told } = createInterimTelling();
  told(interim(1, "One.", "Two."));
  expect(newsIn(undefined)).toEqual({ from: 0, passages: [] });
  expect(newsIn(interim(2, "Uno.", "Dos.")), "also when it has as many already").toEqual({
    from: 0,
    passages: passages("Uno.", "Dos."),
  });
  told(undefined);
  expect(newsIn(undefined)).toBeUndefined();
});
