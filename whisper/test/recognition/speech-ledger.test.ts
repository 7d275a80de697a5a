import { describe, expect, test } from "vitest";
import { SpeechLedger } from "../../src/recognition/speech-ledger.ts";

const span = (start: number, end: number) => ({ start, end });
const said = (start: number, end: number) => ({ start, end, text: "Salt." });

describe("speech that nothing covers", () => {
  test.each([
    ["beside a segment before it", [span(0, 5.4)], [said(0, 4)], [said(0, 5.4)]],
    ["beside a segment after it", [span(0, 5)], [said(1.4, 5)], [said(0, 5)]],
    ["half a second behind a segment", [span(0, 4), span(4.5, 5)], [said(0, 4)], [said(0, 5)]],
    ["half a second before a segment", [span(0, 1), span(1.5, 5)], [said(1.5, 5)], [said(0, 5)]],
  ])("%s belongs to it when it is short", (_where, spans, passages, expected) => {
    const ledger = new SpeechLedger();
    ledger.keep(passages);
    expect(ledger.settle(spans)).toMatchObject({ segments: expected, gaps: [], silences: [] });
  });

  test("is too short to tell when no segment is near, and a gap when it is longer", () => {
    const ledger = new SpeechLedger();
    ledger.keep([said(0, 4), said(20, 24)]);
    expect(ledger.settle([span(0, 4), span(4.6, 6), span(12, 13.6), span(18, 19.4), span(20, 24)])).toEqual({
      segments: [said(0, 4), said(20, 24)],
      gaps: [{ ...span(12, 13.6), reason: "skipped" }],
      silences: [
        { ...span(4.6, 6), reason: "tooShort" },
        { ...span(18, 19.4), reason: "tooShort" },
      ],
      lostSeconds: expect.closeTo(1.6) as number,
      keptSeconds: 8,
    });
  });
});

test("lost speech is reported where it was detected, as one stretch unless words come between", () => {
  const ledger = new SpeechLedger();
  ledger.lose(span(0, 3), "repetition");
  ledger.lose(span(4, 8), "repetition");
  ledger.keep([said(8.5, 9)]);
  ledger.lose(span(10, 12), "repetition");
  ledger.lose(span(14.5, 16), "repetition");
  ledger.lose(span(16, 18), "lowConfidence");
  const spans = [span(1, 2), span(4, 8), span(8.5, 9), span(10, 12), span(14.5, 18)];
  const { gaps, lostSeconds, keptSeconds } = ledger.settle(spans);
  expect(gaps).toEqual([
    { ...span(1, 8), reason: "repetition" },
    { ...span(10, 12), reason: "repetition" },
    { ...span(14.5, 16), reason: "repetition" },
    { ...span(16, 18), reason: "lowConfidence" },
  ]);
  expect([lostSeconds, keptSeconds]).toEqual([10.5, 0.5]);
});
