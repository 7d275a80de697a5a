import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor, type CallExpression, type NewExpression } from "oxc-parser";
import { check } from "recheck";
import { afterEach, expect, test, vi } from "vitest";
import { serviceOfTest } from "../harness/start-test-service.ts";

const root = path.join(import.meta.dirname, "../../..");
const folders = ["contract/src", "server/src"];
const inFolders = /\/((?:contract|server)\/src\/[^:?]+)/;
/** Here regular expressions see no text of users: it is ours, the operator's, of a model, or the beginning of a platform's page. */
const withoutUsers =
  /^server\/src\/(?:(?:admin|settings|http\/documents|adapters\/guides|bio-page\/designs)\/|adapters\/platforms\/instagram\/strike-out\.ts$)/;

/** Hashes of the expressions that were judged safe: judging all takes a minute and gives the same result each time. */
const judged = new Set(
  readFileSync(path.join(import.meta.dirname, "judged-regular-expressions.txt"), "utf8").split("\n"),
);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);

/** These could take time by the square of a text. The value says why no text is long enough. */
const bounded: Readonly<Record<string, string>> = {
  "/((?<=\\p{L}[\\u0300-\\u036F]*)['\\u2019\\u02BC\\uFF07](?=\\p{L}))/u":
    "a piece of a snippet, at most 1,000 characters",
};

afterEach(() => void vi.unstubAllGlobals());

/** Finds the regular expressions that are written as literals, and the files that build others. */
function written() {
  const expressions = new Set<string>();
  const builders = new Set<string>();
  for (const folder of folders)
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${name}`;
      if (!file.endsWith(".ts") || withoutUsers.test(file)) continue;
      const { program } = parseSync(file, readFileSync(path.join(root, file), "utf8"));
      const noteBuilder = ({ callee }: CallExpression | NewExpression): void => {
        if (callee.type === "Identifier" && callee.name === "RegExp") builders.add(file);
      };
      const visitor = new Visitor({
        Literal(node) {
          if ("regex" in node) expressions.add(`/${node.regex.pattern}/${node.regex.flags}`);
        },
        CallExpression: noteBuilder,
        NewExpression: noteBuilder,
      });
      visitor.visit(program);
    }
  return { expressions, builders };
}

/** Finds the regular expressions that the files build when they are loaded and when a service starts. */
async function putTogether(files: ReadonlySet<string>) {
  const expressions = new Set<string>();
  const builders = new Set<string>();
  let isNoting = false;
  const note = (expression: RegExp): RegExp => {
    // Reading the stack may build a regular expression, too.
    if (isNoting) return expression;
    isNoting = true;
    const [, , , caller = ""] = (new Error("where it is").stack ?? "").split("\n");
    isNoting = false;
    const file = inFolders.exec(caller)?.[1];
    if (file !== undefined && !withoutUsers.test(file)) {
      builders.add(file);
      expressions.add(String(expression));
    }
    return expression;
  };
  const Original = RegExp;
  vi.stubGlobal(
    "RegExp",
    new Proxy(Original, {
      construct: (_target, [pattern, flags]: [string, string?]) => note(new Original(pattern, flags)),
      apply: (_target, _this, [pattern, flags]: [string, string?]) => note(new Original(pattern, flags)),
    }),
  );
  // With a query, because other tests of this process may have loaded them.
  for (const file of files) await import(/* @vite-ignore */ `${path.join(root, file)}?again`);
  await serviceOfTest({ transcriber: null });
  vi.unstubAllGlobals();
  return { expressions, builders };
}

/** By steps and never by the clock, so that the verdict is the same on every machine. */
async function judge(regularExpression: string): Promise<string> {
  const end = regularExpression.lastIndexOf("/");
  const { status } = await check(regularExpression.slice(1, end), regularExpression.slice(end + 1), {
    timeout: null,
    attackTimeout: null,
    incubationTimeout: null,
    seedingTimeout: null,
  });
  return status;
}

test("no regular expression on users' text takes quadratic time", { timeout: 900_000 }, async () => {
  const literal = written();
  const built = await putTogether(literal.builders);
  expect([...built.builders].toSorted(), "every file that puts one together was met").toEqual(
    [...literal.builders].toSorted(),
  );
  const expressions = new Set([...literal.expressions, ...built.expressions]);
  expect(literal.expressions.size).toBeGreaterThan(100);
  expect(await judge("/[\\p{Pe}\"']+$/u"), "a known one is seen").toBe("vulnerable");
  const unsafe: string[] = [];
  const safe: string[] = [];
  for (const one of expressions)
    if (!judged.has(hashOf(one))) ((await judge(one)) === "safe" ? safe : unsafe).push(one);
  expect(unsafe.toSorted()).toEqual(Object.keys(bounded).toSorted());
  if (safe.length > 0)
    console.warn(`Safe, and not in judged-regular-expressions.txt yet:\n${safe.map(hashOf).toSorted().join("\n")}`);
});
