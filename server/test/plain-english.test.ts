import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Files with texts for people. Of comments only the beginning is checked. */
const paths = [
  "web/src",
  "contract/src",
  "client/src",
  "server/src",
  "server/guides",
  "whisper/src",
  "docs",
  "README.md",
];
const skipped =
  /\/migrations\/|example-columns\.ts$|index-anew\.ts$|^server\/guides\/measure-honestly|pages\/analytics|\.test\.ts$/;
const read = /\.(ts|tsx|md)$/;

/** Habits that make English read like a translation, and what to write instead. */
const tics: readonly (readonly [RegExp, string])[] = [
  [/\b(?:It|it|that|They|they|work|plan|transcription|service|Keys|keys) goe?s? on\b/, "continues, resumes, retries"],
  [/\banew\b(?!["'`.-])/, "again, new, re-"],
  [/\bin earnest\b/, "leave it out"],
  [/\bas it stands\b/, "leave it out"],
  [/\b(?:bring|brings|brought) (?:it |them )?back for\b/, "restore"],
  [/\btake (?:it |them )?along\b/, "export"],
  [/\bfor good\b/, "permanently"],
  [/\b(?:was|were) counted\b(?! (?:once|as|in))/, "name the transcription or the charge"],
  [/\b[Nn]othing was (?:counted|charged)\b/, "You weren't charged"],
  [
    /\bThis is no\b|\bis no (?:proxy|key|account|command|field|file|folder|such)\b|\bthere is no such\b/,
    "is not a …, unknown …",
  ],
  [/\bbelongs into\b/, "belongs in"],
  [/\bbegin anew\b|\bstarts? anew\b/, "start over"],
  [/\bif it stays\b/, "if it keeps happening"],
  [/\bwas asked for?\b|\bwhat is asked\b/, "requests"],
  [/\bhanded? out\b/, "gives"],
  [/\bgive it another look\b|\bneeds another look\b/, "fix …"],
  [/\bwhich knows nobody\b/, "anonymous"],
  [/\bToo (?:small|big): expected\b|\bInvalid (?:input|option): expected\b/, "say what is accepted"],
];

const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");

const ticsOf = (text: string): string[] =>
  tics.flatMap(([tic, better]) => {
    const words = tic.exec(text)?.[0];
    return words === undefined ? [] : [`"${words}": ${better}`];
  });

/** A doc comment that begins so is a fragment: its reader has to find the noun. */
const fragment = /^\s*(?:\/\*\*|\/\/|\*) ?(?:Of|What|Where|As|Who) /;

test.each(["/** Of the reel, in seconds. */", "  // What is longer is cut.", " * Who pays twice keeps the newer."])(
  "%s is a fragment",
  (comment) => expect(comment).toMatch(fragment),
);

test("comments are sentences", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && !/\/migrations\/|client-types\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(1_000);
  const fragments = files.flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (fragment.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(fragments).toEqual([]);
});

describe("texts for people are plain English", () => {
  test.each(["It goes on by itself in 27 s", "This is no proxy.", "Nothing was counted.", "Delete it for good"])(
    "%s is found",
    (text) => expect(ticsOf(text)).not.toEqual([]),
  );

  test.each(["A good plan", "Retrying in 27 s", "You weren't charged.", "counted once"])("%s is left alone", (text) =>
    expect(ticsOf(text)).toEqual([]),
  );

  test("in what is shown, answered and documented", () => {
    const files = execFileSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((file) => read.test(file) && !skipped.test(file));
    expect(files).toContain("README.md");
    const ticsByLine = files.flatMap((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      return (file.endsWith(".md") ? text : withoutComments(text))
        .split("\n")
        .flatMap((line, index) => ticsOf(line).map((tic) => `${file}:${index + 1} ${tic}`));
    });
    expect(ticsByLine).toEqual([]);
  });
});
