import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedEngine } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { transaction } from "../../src/adapters/database/engine/statement.ts";
import { openTestEngine } from "../harness/test-stores.ts";

const refusal = { code: "RS001", message: "13 is not wanted" };
const add = (number: number) => ({
  name: "add-number",
  text: "select kept from add_number($1::integer)",
  values: [number],
});
const echo = (number: number) => ({ name: "echo", text: "select $1::integer as same", values: [number] });

describe("on the embedded database, a statement that fails", () => {
  let engine: EmbeddedEngine;
  let pool: Pool;
  beforeAll(async () => {
    engine = await openTestEngine();
    ({ pool } = engine);
    await pool.query(`
      create table number (value integer);
      create function refuse_number() returns trigger language plpgsql as $$
      begin
        if new.value % 13 = 0 then raise exception '% is not wanted', new.value using errcode = 'RS001'; end if;
        return new;
      end
      $$;
      create trigger number_allowed before insert on number for each row execute function refuse_number();
      create function add_number(value integer, out kept integer) language plpgsql as $$
      begin
        insert into number values (value) returning number.value into kept;
      end
      $$;`);
  });
  afterAll(async () => {
    await pool.query("drop table number; drop function add_number, refuse_number");
    await engine.close();
  });

  test("fails alone, wherever it fails and with any concurrency", async () => {
    const questions = Array.from({ length: 120 }, (_, at) => {
      switch (at % 4) {
        case 0:
          return { asks: () => pool.query(add(13)), answer: refusal };
        case 1:
          return { asks: () => pool.query(add(at * 13 + 1)), answer: [{ kept: at * 13 + 1 }] };
        case 2:
          return at % 8 === 2
            ? { asks: () => pool.query("select nothing from nowhere"), answer: { code: "42P01" } }
            : { asks: () => pool.query({ ...echo(0), values: ["no number"] }), answer: { code: "22P02" } };
        default:
          return { asks: () => pool.query(echo(at)), answer: [{ same: at }] };
      }
    });
    const answers = await Promise.allSettled(questions.map(({ asks }) => asks()));
    for (const [at, answer] of answers.entries())
      expect(answer.status === "fulfilled" ? answer.value.rows : answer.reason, String(at)).toMatchObject(
        questions[at]!.answer,
      );
    const stored = await pool.query<{ value: number }>("select value from number order by value");
    expect(stored.rows.map(({ value }) => value)).toEqual(
      questions.flatMap((_, at) => (at % 4 === 1 ? [at * 13 + 1] : [])),
    );
  });

  test("undoes its transaction and leaves those of others alone", async () => {
    await pool.query("delete from number");
    const work = Array.from({ length: 20 }, (_, at) =>
      transaction(pool, async (client) => {
        await client.query(add(at * 13 + 2));
        if (at % 2 === 0) await client.query(add(13));
        return (await client.query(echo(at))).rows;
      }),
    );
    const answers = await Promise.allSettled(work);
    for (const [at, answer] of answers.entries())
      expect(answer).toMatchObject(at % 2 === 0 ? { reason: refusal } : { value: [{ same: at }] });
    expect((await pool.query("select count(*)::integer as kept from number")).rows).toEqual([{ kept: 10 }]);
  });

  test("leaves nothing behind when its client is abandoned midway", async () => {
    await pool.query("delete from number");
    const client = await pool.connect();
    await client.query("begin");
    await client.query(add(1));
    const cut = client.query(add(2)).catch(() => undefined);
    client.release(true);
    const after = await Promise.all([pool.query(add(3)), pool.query(echo(4)), pool.query(add(5))]);
    await cut;
    expect(after.map(({ rows }) => rows)).toEqual([[{ kept: 3 }], [{ same: 4 }], [{ kept: 5 }]]);
    expect((await pool.query("select value from number order by value")).rows).toEqual([{ value: 3 }, { value: 5 }]);
  });
});
