import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../../..");
/** Here regular expressions see no text of users: it is ours, the operator's, or of a model. */
const withoutUsers = /^server\/src\/(?:admin|settings|http\/documents|adapters\/guides|bio-page\/designs)\//;

/** What could take time by the square of a text, and why no text is long enough. */
const bounded: Readonly<Record<string, string>> = {
  "/\\/+$/": "addresses of reels, which have at most 2,000 characters",
  "/^.{12,}?[.!?…।؟。]+(?=[\"'”’»)]*(\\s|$))/su": "the first 288 characters of a text",
  "/[.।…]+$/u": "the first 288 characters of a text",
  "/((?<=\\p{L}[\\u0300-\\u036F]*)['\\u2019\\u02BC\\uFF07](?=\\p{L}))/u":
    "a piece of a snippet, at most 1,000 characters",
  "/(https?:\\/\\/[^\\s?#\"'<>]*)[?#][^\\s\"'<>]*/gi": "the first 4,000 characters of an error",
  "/\\bVersion\\/[\\d.]+.* Safari\\//": "a header, which has at most 16 kB together with all others",
  "/(\\p{M}{30})\\p{M}+/gu": "a run of marks is taken whole, and one of fewer than 31 is short",
  "/impersonate targets? .{0,200}(?:un|not )available|no impersonate target|ModuleNotFoundError|ImportError|bad interpreter|unsupported version of Python/i":
    "at most 200 characters from each place in a complaint of bounded length",
  "/[.:]+$/": "an error of the embedded database",
};

function regularExpressions(): Set<string> {
  const found = new Set<string>();
  for (const folder of ["contract/src", "server/src"])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${name}`;
      if (!file.endsWith(".ts") || withoutUsers.test(file)) continue;
      const { program } = parseSync(file, readFileSync(path.join(root, file), "utf8"));
      const visitor = new Visitor({
        Literal(node) {
          if ("regex" in node) found.add(`/${node.regex.pattern}/${node.regex.flags}`);
        },
      });
      visitor.visit(program);
    }
  return found;
}

const isVulnerable = async (regularExpression: string): Promise<boolean> => {
  const end = regularExpression.lastIndexOf("/");
  // What takes longer isn't judged; most of these are patterns of few letters with large classes.
  const { status } = await check(regularExpression.slice(1, end), regularExpression.slice(end + 1), { timeout: 3_000 });
  return status === "vulnerable";
};

test("no regular expression that sees text of users takes time by the square of it", { timeout: 240_000 }, async () => {
  expect(await isVulnerable("/[\\p{Pe}\"']+$/u"), "a known one is seen").toBe(true);
  const found = regularExpressions();
  expect(found.size).toBeGreaterThan(100);
  const vulnerable: string[] = [];
  for (const one of found) if (await isVulnerable(one)) vulnerable.push(one);
  expect(vulnerable.filter((one) => bounded[one] === undefined)).toEqual([]);
  for (const one of Object.keys(bounded)) expect(found, "an exception that is needed").toContain(one);
});
