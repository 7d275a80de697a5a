import { expect, test } from "vitest";
import { createSentPassages } from "../../src/features/transcription/following/get-transcription.ts";

const passages = (...texts: readonly string[]) => texts.map((text) => ({ language: "en", text }));
const interim = (attempt: number, ...texts: readonly string[]) => ({ attempt, passages: passages(...texts) });

test("a follower is noteSent what it doesn't know, and nothing twice", () => {
  const { lacking, noteSent } = createSentPassages();
  expect(lacking(undefined), "that there is nothing").toEqual({ from: 0, passages: [] });
  noteSent(undefined);
  expect(lacking(undefined)).toBeUndefined();
  expect(lacking(interim(1, "One."))).toEqual({ from: 0, passages: passages("One.") });
  noteSent(interim(1, "One."));
  expect(lacking(interim(1, "One."))).toBeUndefined();
  expect(lacking(interim(1, "One.", "Two."))).toEqual({ from: 1, passages: passages("Two.") });
});

test("what it couldn't take comes with the next one", () => {
  const { lacking, noteSent } = createSentPassages();
  noteSent(interim(1, "One."));
  lacking(interim(1, "One.", "Two."));
  expect(lacking(interim(1, "One.", "Two.", "Three."))).toEqual({ from: 1, passages: passages("Two.", "Three.") });
});

test("another attempt begins again", () => {
  const { lacking, noteSent } = createSentPassages();
  noteSent(interim(1, "One.", "Two."));
  expect(lacking(undefined)).toEqual({ from: 0, passages: [] });
  expect(lacking(interim(2, "Uno.", "Dos.")), "also when it has as many already").toEqual({
    from: 0,
    passages: passages("Uno.", "Dos."),
  });
  noteSent(undefined);
  expect(lacking(undefined)).toBeUndefined();
});
