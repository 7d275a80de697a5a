import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { freePort } from "../harness/free-port.ts";
import { createRawProgram, register, statusWith } from "../harness/raw-program.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

describe.skipIf(!testDatabaseUrl)("programs and several processes (runs with TEST_DATABASE_URL)", () => {
  let drop: () => Promise<unknown>;
  let databaseUrl: string;
  let one: TestService;
  let other: string;
  let moved: string;
  const nodes: TestService[] = [];
  beforeAll(async () => {
    const database = await migratedDatabase(testDatabaseUrl ?? "");
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

  test("a permission at one is valid at all with the same address", async () => {
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

  test("a code sent to two processes together works once at most", async () => {
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

  test("no program may register our public address or a look-alike", async () => {
    for (const address of [
      "https://elsewhere.example/l/lnk_1",
      "https://elsewhere.example:8443/l/lnk_1",
      "https://ELSEWHERE.example./callback",
      "https://else%77here.example/callback",
      "https://somebody@elsewhere.example/callback",
      "https://elsewhere.example.evil.example/callback",
      "googlechromes://elsewhere.example/l/lnk_1",
      "microsoft-edge:https://elsewhere%2Eexample/l/lnk_1",
      "reelscript://callback",
    ])
      expect((await register(moved, { redirect_uris: ["https://fine.example/", address] })).status, address).toBe(400);
    for (const address of ["https://not-elsewhere.example/", "http://127.0.0.1:5/", "cursor://callback"])
      expect((await register(moved, { redirect_uris: [address] })).status, address).toBe(201);
  });

  test("a program registered at one process is known everywhere, without database rows", async () => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const artifacts = async (): Promise<number> =>
      (await client.query("select count(*)::int as kept from oauth_artifact")).rows[0].kept;
    try {
      const before = await artifacts();
      const names = Array.from({ length: 200 }, (_, index) => `Program ${index}`);
      for (const name of names) expect((await register(one.url, { client_name: name })).status).toBe(201);
      expect(await artifacts()).toBe(before);
    } finally {
      await client.end();
    }
    const program = await createRawProgram(one.url, undefined, "Program 0");
    const there = await createRawProgram(other, program.clientId);
    expect(await there.refresh("nobody's")).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});
