import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isListOf, isNumber, isObjectOf, isOneOf, isText, orNull } from "../../src/adapters/database/engine/columns.ts";
import type { EmbeddedEngine } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { jsonOf, statement } from "../../src/adapters/database/engine/statement.ts";
import { openTestEngine } from "../harness/test-stores.ts";

const addWord = statement(
  "insert into word (language, text, times) values (:language, :text, :times::integer[]) returning id",
).reading({ id: isNumber });
const findWords = statement(
  "select text, times from word where language = :language and (text = :text or :text::text is null) order by id",
).reading({ text: isText, times: orNull(isListOf(isNumber)) });

describe("a statement", () => {
  let engine: EmbeddedEngine;
  let pool: Pool;
  beforeAll(async () => {
    engine = await openTestEngine();
    ({ pool } = engine);
    await pool.query("create temp table word (id serial, language text, text text, times integer[])");
  });
  afterAll(() => engine.close());

  test("takes parameters by name, in any order and any number of times", async () => {
    expect(await addWord.onlyRow(pool, { times: [1, 2], text: "un", language: "fr" })).toEqual({ id: 1 });
    expect(await addWord.onlyRow(pool, { language: "fr", times: null, text: "deux" })).toEqual({ id: 2 });
    expect(await findWords.rows(pool, { text: null, language: "fr" })).toEqual([
      { text: "un", times: [1, 2] },
      { text: "deux", times: null },
    ]);
    expect(await findWords.row(pool, { text: "trois", language: "fr" })).toBeUndefined();
    expect(await findWords.run(pool, { text: null, language: "fr" })).toBe(2);
  });

  test("answers the columns that are declared, in camelCase, and no others", async () => {
    const aliased = statement("select 1 as made_at_once, 2 as other").reading({ madeAtOnce: isNumber });
    expect(await aliased.onlyRow(pool)).toEqual({ madeAtOnce: 1 });
  });

  test("tells parameters from casts and from texts with a colon", async () => {
    const said = statement("select :a::text || ':' || :bee::text || :a as joined, '::' as colons, now()::date");
    const read = said.reading({ joined: isText, colons: isText });
    expect(await read.onlyRow(pool, { a: "x", bee: "y" })).toEqual({ joined: "x:yx", colons: "::" });
  });

  test("doesn't compile or run without a value for each parameter", async () => {
    // @ts-expect-error -- `text` is missing
    await expect(findWords.rows(pool, { language: "fr" })).rejects.toThrow("The parameter text has no value");
    // @ts-expect-error -- there is no `word`
    expect(await findWords.rows(pool, { language: "fr", text: null, word: "un" })).toHaveLength(2);
  });

  test("stores texts without the character that the database refuses, in lists too", async () => {
    await addWord.onlyRow(pool, { language: "d\0e", text: "\0ei\0ns", times: [] });
    expect(await findWords.rows(pool, { language: "de\0", text: "eins\0" })).toEqual([{ text: "eins", times: [] }]);
    const any = statement("select text from word where text = any(:texts::text[])").reading({ text: isText });
    expect(await any.rows(pool, { texts: ["ei\0ns", "un"] })).toEqual([{ text: "un" }, { text: "eins" }]);
  });

  test.each([
    ["a text for a number", "'7' as value", isNumber],
    ["nothing for a text", "null as value", isText],
    ["a word that isn't among those known", "'other' as value", isOneOf("one", "another")],
    ["a list with something else in it", "array['1'] as value", isListOf(isNumber)],
    ["JSON without a field", `'{"start": 1}'::json as value`, isObjectOf<{ end: number }>({ end: isNumber })],
    ["another column", "'7' as lost", isText],
  ])("refuses a row with %s, and keeps its value to itself", async (_, column, check) => {
    const wrong = statement(`select ${column}` as string).reading({ value: check });
    const refused = await wrong.rows(pool).catch((error: unknown) => String(error));
    expect(refused).toBe(`Error: The database answered with a value of another type: select ${column}`);
  });
});

test("JSON has only characters that the database reads", () => {
  const text = "a\0\0 \ud83d 👍 \\u0000 \\\0 \udc00";
  const clean = "a \uFFFD 👍 \\u0000 \\ \uFFFD";
  expect(JSON.parse(jsonOf({ [text]: [text, 1, null] }))).toEqual({ [clean]: [clean, 1, null] });
});
