import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { freePort } from "../harness/free-port.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { createRawProgram, register, statusWith } from "../harness/raw-program.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

describe.skipIf(!testDatabaseUrl)("programs and several processes (runs with TEST_DATABASE_URL)", () => {
  let drop: () => Promise<unknown>;
  let databaseUrl: string;
  let one: TestService;
  let other: string;
  let moved: string;
  const nodes: TestService[] = [];
  beforeAll(async () => {
    const database = await temporaryDatabase(testDatabaseUrl ?? "");
    drop = database.drop;
    databaseUrl = database.databaseUrl;
    one = await startTestService({ databaseUrl, transcriber: null });
    nodes.push(one);
    const aNode = async (baseUrl: string): Promise<string> => {
      const port = await freePort();
      nodes.push(await startTestService({ databaseUrl, transcriber: null, port, baseUrl }));
      return `http://127.0.0.1:${port}`;
    };
    other = await aNode(one.url);
    moved = await aNode("https://elsewhere.example");
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.close();
    await drop();
  });

  test("what one has allowed, all know, and none that is at another address", async () => {
    const person = await signIn(one);
    const program = await createRawProgram(one.url);
    const there = await createRawProgram(other, program.clientId);
    const { body } = await program.redeem(await program.codeFrom(person));
    expect(await statusWith(other, body.access_token)).toBe(200);
    expect(await statusWith(moved, body.access_token), "made for another address").toBe(401);
    const renewed = await there.refresh(body.refresh_token);
    expect(renewed.status).toBe(200);
    expect(await statusWith(one.url, renewed.body.access_token)).toBe(200);
    const { programs } = (await person.api("listPrograms")).body;
    await person.api("disconnectProgram", { id: programs[0].id });
    expect(await statusWith(other, renewed.body.access_token)).toBe(401);
    expect(await there.refresh(renewed.body.refresh_token)).toMatchObject({ body: { error: "invalid_grant" } });
  });

  test("a code that comes to two at once is worth one answer at most", async () => {
    const person = await signIn(one);
    const program = await createRawProgram(one.url);
    for (let round = 0; round < 5; round += 1) {
      const code = await program.codeFrom(person);
      const answers = await Promise.all([program.redeem(code), program.redeem(code, {}, other)]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      const tokens = answers.flatMap(({ body }) => body.access_token ?? []);
      const after = await program.redeem(code, {}, other);
      expect(after.status).toBe(400);
      for (const token of tokens) expect(await statusWith(one.url, token)).toBe(401);
    }
  });

  test("a flood of registrations refuses nobody, forgets no program in use, and is gone after a day", async () => {
    const person = await signIn(one);
    const used = await createRawProgram(one.url);
    const { body } = await used.redeem(await used.codeFrom(person));
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const registrations = async (): Promise<number> => {
      const { rows } = await client.query("select count(*)::int as kept from oauth_artifact where kind = 'Client'");
      return rows[0].kept;
    };
    try {
      const inUse = await registrations();
      await client.query(
        `insert into oauth_artifact (kind, hash, payload, expires_at)
         select 'Client', sha256(number::text::bytea), '{}', $1::timestamptz + number * interval '1 ms'
         from generate_series(1, 12000) as number`,
        [one.clock.now()],
      );
      expect((await register(one.url, { client_name: "Late" })).status).toBe(201);
      expect(await registrations()).toBe(10_000 + inUse);
      const renewed = await used.refresh(body.refresh_token);
      expect(renewed.status).toBe(200);
      one.clock.advance(25 * hour);
      await runUpkeep(one.store, "forget-oauth-artifacts", one.clock.now());
      expect(await registrations()).toBe(inUse);
      expect((await used.refresh(renewed.body.refresh_token)).status).toBe(200);
    } finally {
      await client.end();
    }
  });
});
