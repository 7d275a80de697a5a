import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const ignored = new Set([...readFileSync(path.join(root, ".gitignore"), "utf8").split("\n"), ".git"]);
const ownNames = /\.(ts|tsx|mjs|js|css|html|json|md|yaml|yml|sh|service|example)$|^(Dockerfile|Caddyfile)/;
/** Speech and vocabularies in other languages, and what is never edited. */
const foreign =
  /^(package-lock\.json|whisper\/models\/|server\/src\/.*\/migrations\/0|platform-standin\/scripts\/(french|italian|spanish)-recipes\.mjs|platform-standin\/reels\/reels\.json|server\/test\/american-spelling\.test\.ts)/;
/** Titles of papers, and a keyword of a subtitle format. */
const quoted = [
  "Regression towards Mediocrity",
  "Dialogue:",
  "Primary Colour, Secondary Colour, Outline Colour, Back Colour",
];

const stems = ["colour", "favour", "honour", "neighbour", "behaviour", "labour", "flavour", "humour", "rumour"];
const verbs =
  "recogn|organ|normal|serial|initial|special|synthes|summar|optim|minim|maxim|apolog|token|capital|custom|emphas|visual|sanit|random|util|priorit|author|categor|character|standard|final|penal|real|local|general";
const british = new RegExp(
  [
    `(?:${stems.join("|")})`,
    `(?:${verbs})is(?:e|es|ed|er|ers|ing|ation|ations)(?![a-z])`,
    "(?:cancell|labell|modell|levell|travell|signall)(?:ed|ing|er)(?![a-z])",
    "(?<![a-z])(?:analys(?:e|ed|er|ing)|catalogues?|dialogue|grey|judgement|towards|afterwards|backwards|forwards|centre|metres?|litres?|licence|defence|learnt|spelt|whilst|amongst|fulfil|artefacts?|programmes?)(?![a-z])",
  ].join("|"),
  "i",
);

function ownFiles(folder = ""): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const entryPath = path.posix.join(folder, entry.name);
    if (ignored.has(entry.name) || foreign.test(entryPath + (entry.isDirectory() ? "/" : ""))) return [];
    if (entry.isDirectory()) return ownFiles(entryPath);
    return ownNames.test(entry.name) ? [entryPath] : [];
  });
}

const britishIn = (text: string): string | undefined =>
  british.exec(quoted.reduce((rest, quotation) => rest.replaceAll(quotation, ""), text))?.[0];

/** `isGreyScale` and `GREY_SCALE` have the word as well as `grey scale`. */
const wordsOf = (text: string): string => text.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");

describe("spelling is American", () => {
  test.each(["colour", "isRecognised", "analyser", "cancelledAt", "GREY_SCALE", "looksAfterwards", "a catalogue"])(
    "%s is found",
    (text) => expect(britishIn(wordsOf(text))).toBeDefined(),
  );

  test.each(["promise", "otherwise", "analysis", "revised", "canceled", "programmer", "Dialogue: 0"])(
    "%s is left alone",
    (text) => expect(britishIn(wordsOf(text))).toBeUndefined(),
  );

  test("in the names and the lines of all files", () => {
    const files = ownFiles();
    expect(files).toContain("AGENTS.md");
    const britishWords = files.flatMap((file) => {
      const name = britishIn(wordsOf(file));
      const lines = readFileSync(path.join(root, file), "utf8").split("\n");
      const inLines = lines.flatMap((line, index) => {
        const word = britishIn(wordsOf(line));
        return word === undefined ? [] : [`${file}:${index + 1}: ${word}`];
      });
      return name === undefined ? inLines : [`${file}: ${name}`, ...inLines];
    });
    expect(britishWords).toEqual([]);
  });
});
