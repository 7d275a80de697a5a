import { describe, expect, test } from "vitest";
import { callToActionOf, hookOf, openingOf } from "../../src/describe/describe-script.ts";

describe("a call to action", () => {
  test.each([
    ["Bread is alive. Poke it first. Save this for Sunday.", "Save this for Sunday."],
    ["Bread is alive. Comment BREAD and follow me for more! Bye.", "Comment BREAD and follow me for more!"],
    ["El pan está vivo. Guarda este video para el domingo.", "Guarda este video para el domingo."],
    ["O pão está vivo. Me segue para mais receitas.", "Me segue para mais receitas."],
    ["Le pain est vivant. Abonne-toi pour la suite !", "Abonne-toi pour la suite !"],
    ["Brot lebt. Schreib mir in die Kommentare.", "Schreib mir in die Kommentare."],
    ["Il pane è vivo. Seguimi per altre ricette.", "Seguimi per altre ricette."],
    ["Roti itu hidup. Jangan lupa simpan video ini.", "Jangan lupa simpan video ini."],
    ["रोटी ज़िंदा है। वीडियो को सेव कर लो।", "वीडियो को सेव कर लो।"],
    ["ரொட்டி உயிருள்ளது. வீடியோவை ஷேர் பண்ணுங்க.", "வீடியோவை ஷேர் பண்ணுங்க."],
    ["రొట్టె సజీవం. నన్ను ఫాలో అవ్వండి.", "నన్ను ఫాలో అవ్వండి."],
    ["الخبز حي. تابعني للمزيد.", "تابعني للمزيد."],
  ])("of %j", (text, callToAction) => {
    expect(callToActionOf(text)).toBe(callToAction);
  });

  test.each([
    "",
    "Save this for Sunday.",
    "Bread is alive. The likes of it, the shares, the followers: unsaved, unlinked, commented.",
    "Follow me home. One. Two. Three. Four. Five.",
    "Brot lebt. Der Teil mit dem Speicher war neu.",
  ])("is not in %j", (text) => {
    expect(callToActionOf(text)).toBeUndefined();
  });
});

test("quoted sentences end in an ellipsis after 240 characters, between characters", () => {
  expect(hookOf("  Poke it. Then wait.")).toBe("Poke it.");
  expect(hookOf("word ".repeat(100)).length).toBeLessThanOrEqual(240);
  expect(hookOf("😀".repeat(300))).toMatch(/^(😀)+…$/u);
  expect(callToActionOf(`Long ago. Save this, ${"and wait, ".repeat(30)}.`)).toMatch(/^Save this, .*…$/);
});

test.each([
  ["And Mr. Darcy bowed. She laughed.", "And Mr. Darcy bowed."],
  ["Dr. Who met Mrs. Smith. Then he left.", "Dr. Who met Mrs. Smith."],
  ["¿El Sr. López vino? No.", "¿El Sr. López vino?"],
  ["डॉ. राव आए। फिर गए।", "डॉ. राव आए।"],
  ["Wait, Dr.", "Wait, Dr."],
])("the point after a title ends no sentence: %j", (text, hook) => {
  expect(hookOf(text)).toBe(hook);
});

test("an opening is the first sentence up to its twelfth word", () => {
  const of = (text: string) => openingOf({ text, segments: [] });
  expect(of("")).toBe("");
  expect(of("  Poke it. Then wait.")).toBe("Poke it.");
  expect(of("One two three four five six seven eight nine ten eleven twelve. Then wait.")).toMatch(/twelve\.$/);
  expect(of("क्या आप ".repeat(20)).split(" ")).toHaveLength(12);
  expect(of("one two three four five six seven eight nine ten eleven twelve thirteen fourteen.")).toBe(
    "one two three four five six seven eight nine ten eleven twelve…",
  );
});

describe("an opening ends at a pause", () => {
  const of = (...parts: [text: string, start: number, end: number][]) => {
    const segments = parts.map(([text, start, end]) => ({ text, start, end }));
    return openingOf({ text: segments.map(({ text }) => text).join(" "), segments });
  };
  test.each([
    [
      "without a full stop",
      [
        ["so this is my kitchen", 0, 2],
        ["and that is my dog", 3, 5],
      ],
      "so this is my kitchen",
    ],
    [
      "but not a short one",
      [
        ["so this is my kitchen", 0, 2],
        ["and that is my dog", 2.3, 5],
      ],
      "so this is my kitchen and that is my dog",
    ],
    [
      "but not after three words",
      [
        ["okay so look", 0, 1],
        ["this is my kitchen", 3, 5],
      ],
      "okay so look this is my kitchen",
    ],
    [
      "of those the first",
      [
        ["okay so", 0, 1],
        ["look at this", 3, 4],
        ["here it is", 6, 7],
      ],
      "okay so look at this",
    ],
    [
      "unless the sentence ends before",
      [
        ["Poke it. This is my kitchen", 0, 2],
        ["and my dog", 3, 5],
      ],
      "Poke it.",
    ],
    [
      "in Hindi",
      [
        ["यह मेरी रसोई है", 0, 2],
        ["और यह मेरा कुत्ता", 4, 6],
      ],
      "यह मेरी रसोई है",
    ],
  ] as [string, [string, number, number][], string][])("%s", (_name, parts, opening) => {
    expect(of(...parts)).toBe(opening);
  });

  test("whose segments aren't in the text is the sentence", () => {
    const segments = [
      { text: "something else", start: 0, end: 1 },
      { text: "entirely", start: 9, end: 10 },
    ];
    expect(openingOf({ text: "Here we go again. Bye.", segments })).toBe("Here we go again.");
  });
});
