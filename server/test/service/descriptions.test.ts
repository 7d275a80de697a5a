import { allOperations } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openApi } from "../../src/http/documents/openapi.ts";
import { listedTools } from "../../src/mcp/tools.ts";

/** Beginnings of fragments, which can't be understood without the name of the field or the text before them. */
const fragments: readonly RegExp[] = [
  /^(?:Of|With|In|For|On|At|By|From|As|Against|Below|Above|Between|Until|While|Without|Within|Under|Since) /,
  /^(?:What|When|Where|Why|How|Who|Whoever|Which) /,
  /^(?:Its?|Their|Them|They|Those|These|That) /,
  /^(?:Absent|Present|Hidden|Only|Old|Different|Already|Taken|Set after|Queued|Updated|Expires|Stands) /,
  /^(?:Oldest|Newest|Most|Shortest|Highest|Clear) (?:ones )?(?:first|or)/,
  // Legends of values: the sentence says first what the field is.
  /^`?[\w-]+`?: (?!The |Missing|Too many|It |You|Please)/,
  /^(?:null|true|false) /,
];

/** All descriptions in a JSON document, without those inside of examples. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (["example", "examples", "default"].includes(name)) return [];
    return name === "description" && typeof inner === "string" ? [inner] : descriptionsIn(inner);
  });
}

const schemasOf = (schema: z.ZodObject): unknown[] =>
  (["input", "output"] as const).map((io) => z.toJSONSchema(schema, { io, unrepresentable: "any" }));

const operations = Object.values(allOperations).flatMap(({ summary, description, input, output, tools }) => [
  summary,
  description,
  ...descriptionsIn([...schemasOf(input), ...schemasOf(output)]),
  ...descriptionsIn(tools?.map((tool) => ({ description: tool.description }))),
]);

const isFragment = (text: string): boolean => fragments.some((fragment) => fragment.test(text));

describe("descriptions stand alone", () => {
  test.each([
    ["operations", operations],
    ["the OpenAPI document", descriptionsIn(openApi("http://127.0.0.1:8787"))],
    ["tools", descriptionsIn(listedTools())],
  ])("in %s", (_, texts) => {
    expect(texts.length).toBeGreaterThan(40);
    expect([...new Set(texts)].filter(isFragment)).toEqual([]);
  });

  test.each([
    "Of the sound.",
    "What differs.",
    "Its headings.",
    "json: a file.",
    "null means unlimited.",
    "Oldest first.",
  ])("%s is a fragment", (text) => expect(isFragment(text)).toBe(true));
});
