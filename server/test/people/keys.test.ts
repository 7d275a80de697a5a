import { describe, expect, test } from "vitest";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest, transcribe, transcribeLater } from "../harness/rest.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";

const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  rateLimits: { default: 6, transcribe: 3 },
});

const createKey = async (person: SignedIn, name = "Notebook") => {
  const { status, body } = await person.api("createKey", { name });
  expect(status).toBe(200);
  return body as { key: { id: string; name: string; lastFour: string }; secret: string };
};

describe("keys of a signed-in person", () => {
  test("are created, used, listed with usage, and revoked immediately", async () => {
    const person = await signInNew(service);
    expect((await person.api("listKeys")).body).toEqual({ keys: [], limit: 5, quotaScope: "key" });
    const { key, secret } = await createKey(person, "  Notebook 👩‍💻 ");
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "Notebook 👩‍💻",
      lastFour: secret.slice(-4),
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
      readOnly: false,
    });
    const second = await createKey(person, "CI");
    expect((await transcribe(service.url, secret, service.newReel())).status).toBe(200);

    const { keys } = (await person.api("listKeys")).body;
    expect(keys).toEqual([
      { ...key, lastUsedAt: expect.any(String), transcriptions: { used: 1, limit: 10, resetsAt: null } },
      { ...second.key, transcriptions: { used: 0, limit: 10, resetsAt: null } },
    ]);
    expect(JSON.stringify(keys)).not.toContain(secret);

    expect(await person.api("revokeKey", { id: key.id })).toMatchObject({ status: 200, body: { id: key.id } });
    expect((await rest(service.url, "/usage", { key: secret })).status).toBe(401);
    expect((await person.api("revokeKey", { id: key.id })).status).toBe(404);
    expect((await person.api("listKeys")).body.keys).toMatchObject([{ id: second.key.id }]);
    // A new key takes the place of the revoked one, and the transcriptions used there still count.
    await createKey(person, "Next");
    expect((await person.api("listKeys")).body.keys[1]).toMatchObject({ name: "Next", transcriptions: { used: 1 } });
  });

  test("are renamed, and work as before", async () => {
    const person = await signInNew(service);
    const stranger = await signInNew(service);
    const { key, secret } = await createKey(person, "Notebook");
    expect((await stranger.api("renameKey", { id: key.id, name: "Mine" })).status).toBe(404);
    expect((await person.api("renameKey", { id: key.id, name: " " })).status).toBe(400);
    expect(await person.api("renameKey", { id: key.id, name: " Work laptop " })).toMatchObject({
      status: 200,
      body: { ...key, name: "Work laptop" },
    });
    expect((await rest(service.url, "/me", { key: secret })).status).toBe(200);
    expect((await person.api("listKeys")).body.keys.map(({ name }: { name: string }) => name)).toEqual(["Work laptop"]);
    await person.api("revokeKey", { id: key.id });
    expect((await person.api("renameKey", { id: key.id, name: "Late" })).status).toBe(404);
  });

  test("are at most five, and the sixth gets an error with advice", async () => {
    const person = await signInNew(service);
    const newKeys = [];
    for (let count = 0; count < 5; count += 1) newKeys.push(await createKey(person, `Key ${count}`));
    const sixth = await person.api("createKey", { name: "One more" });
    expect(sixth).toMatchObject({
      status: 403,
      body: { error: { code: "limitReached", message: expect.stringMatching(/5 keys, the maximum.*Revoke one/) } },
    });
    expect(sixth.headers.get("x-error-reason")).toBe("keysUsed");
    await person.api("revokeKey", { id: newKeys[2]!.key.id });
    await createKey(person, "Instead");
  });

  test("are not named by what nobody can read", async () => {
    const person = await signInNew(service);
    const marks = ["a\nb", "tab\there", "\u0000", "\u2028x\u2028y", "abc\u202Ecba", "\u200B\u200D"];
    for (const name of ["", "   ", ...marks, "x".repeat(61), 7])
      expect(await person.api("createKey", { name }), JSON.stringify(name)).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`name`") } },
      });
    expect((await person.api("listKeys")).body.keys).toEqual([]);
  });
});

describe("the last requests of a key", () => {
  test("show responses of both doors, with errors, and nothing of the input", async () => {
    const person = await signInNew(service);
    const { key, secret } = await createKey(person);
    const other = await createKey(person, "Other");
    const requestsOf = async (id: string) => (await person.api("listKeyRequests", { id })).body.requests;
    await rest(service.url, "/usage", { key: secret });
    await rest(service.url, "/scripts/scr_private-thing", { key: secret });
    await rest(service.url, "/transcribe", { key: secret, body: { url: "https://elsewhere.test/secret-words" } });
    await transcribeLater(service.url, secret, service.newReel());
    const client = await connectMcp(service.url, "modern", secret);
    await client.callTool({ name: "get_my_usage", arguments: {} });
    await client.callTool({ name: "get_competitor_report", arguments: { id: "rep_nothing" } });
    await client.close();
    expect((await rest(service.url, "/usage", { key: secret })).status).toBe(429);
    // None of these is a request of the key.
    await rest(service.url, "/usage", {});
    await person.api("getUsage");
    await rest(service.url, "/nothing-here", { key: secret });

    const expected = [
      ["getUsage", "rest", 429],
      ["getCompetitorReport", "mcp", 404],
      ["getUsage", "mcp", 200],
      ["transcribeReel", "rest", 202],
      ["transcribeReel", "rest", 400],
      ["getScript", "rest", 404],
      ["getUsage", "rest", 200],
    ];
    await expect
      .poll(async () =>
        (await requestsOf(key.id)).map((one: Record<string, unknown>) => [one.operation, one.door, one.status]),
      )
      .toEqual(expected);
    const { body } = await person.api("listKeyRequests", { id: key.id });
    expect(body.key).toMatchObject({ id: key.id, name: "Notebook" });
    for (const one of body.requests) expect(Object.keys(one).toSorted()).toEqual(["at", "door", "operation", "status"]);
    expect(JSON.stringify(body)).not.toMatch(/secret-words|private-thing|rep_nothing/);
    expect(await requestsOf(other.key.id)).toEqual([]);
    await person.api("revokeKey", { id: key.id });
    expect(await requestsOf(key.id)).toHaveLength(expected.length);
  });
});

describe("somebody else", () => {
  test("neither sees nor changes a key, and odd ids are nobody's", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const { key, secret } = await createKey(owner);
    for (const id of [key.id, "key_nothing", "%00", "\u0000", `${key.id} `, "ключ"])
      for (const name of ["revokeKey", "listKeyRequests"] as const)
        expect(await stranger.api(name, { id }), `${name} ${id}`).toMatchObject({
          status: 404,
          body: { error: { code: "notFound" } },
        });
    expect((await stranger.api("listKeys")).body.keys).toEqual([]);
    expect((await rest(service.url, "/usage", { key: secret })).status).toBe(200);
    for (const body of [undefined, { name: "x" }])
      expect((await rest(service.url, "/keys", { key: secret, body })).status, "a key makes no keys").toBe(404);
  });
});
