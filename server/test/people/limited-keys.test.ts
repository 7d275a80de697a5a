import { allOperations, operations, type Operation } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { connectMcp, eras, type Era } from "../harness/connect-mcp.ts";
import { sixteenReels } from "../reports/golden.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { addWebhook } from "../harness/webhooks.ts";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const service = serviceOfTests({ transcriber: createGatedTranscriber(), rateLimits: { default: 60 } });

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * hour).toISOString();
const createKey = async (person: SignedIn, more: { expiresAt?: string; readOnly?: boolean }) => {
  const { status, body } = await person.api("createKey", { name: "Notebook", ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { key: { id: string; expiresAt: string | null; readOnly: boolean }; secret: string };
};
const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? "";

describe("a key that expires", () => {
  test("works until it expires, then gives 401 with reason and remedy", async () => {
    const person = await signInNew(service);
    const expiresAt = inHours(24);
    const { key, secret } = await createKey(person, { expiresAt });
    expect(key).toMatchObject({ expiresAt, readOnly: false });
    expect((await rest(service.url, "/me", { key: secret })).body.key).toMatchObject({ expiresAt, readOnly: false });
    const client = await connectMcp(service.url, "modern", secret);
    expect((await client.callTool({ name: "get_my_usage", arguments: {} })).isError).not.toBe(true);
    expect((await transcribe(service.url, secret, service.newReel())).status).toBe(200);

    service.clock.advance(24 * hour);
    for (const path of ["/me", "/guides", "/scripts"]) {
      const { status, headers, body } = await rest(service.url, path, { key: secret });
      expect(status, path).toBe(401);
      expect(headers.get("x-error-reason")).toBe("keyExpired");
      expect(body.error).toMatchObject({
        code: "unauthorized",
        message: expect.stringMatching(/expired on [A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d UTC\. Create/),
      });
    }
    await expect(client.callTool({ name: "get_my_usage", arguments: {} })).rejects.toThrow(/401|expired/);
    const overMcp = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: "{}",
    });
    expect([overMcp.status, overMcp.headers.get("x-error-reason")]).toEqual([401, "keyExpired"]);
    await client.close();
    expect((await person.api("listKeys")).body.keys, "the owner still sees it").toMatchObject([
      { id: key.id, expiresAt, transcriptions: { used: 1 } },
    ]);
    expect((await person.api("revokeKey", { id: key.id })).status).toBe(200);
    expect((await person.api("listKeys")).body.keys).toEqual([]);
    expect((await rest(service.url, "/me", { key: secret })).headers.get("x-error-reason")).toBe("keyUnknown");
  });

  test("is not created with an end that is past or none", async () => {
    const person = await signInNew(service);
    for (const expiresAt of ["2020-01-01T00:00:00.000Z", "tomorrow", 7, "2030-02-30T00:00:00Z"])
      expect(await person.api("createKey", { name: "Late", expiresAt }), String(expiresAt)).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`expiresAt`") } },
      });
    expect((await person.api("listKeys")).body.keys).toEqual([]);
  });

  test("never expires without an end", async () => {
    const person = await signInNew(service);
    const { secret } = (await person.api("createKey", { name: "Long", expiresAt: null as never })).body;
    service.clock.advance(20 * 365 * 24 * hour);
    expect((await rest(service.url, "/me", { key: secret })).body.key.expiresAt).toBeNull();
  });
});

describe("a read-only key", () => {
  test("reads everything over REST, and is refused everything that changes or costs", async () => {
    const person = await signInNew(service);
    await person.api("transcribeReel", { url: service.newReel() });
    const { secret } = await createKey(person, { readOnly: true });
    expect((await rest(service.url, "/me", { key: secret })).body.key).toMatchObject({ readOnly: true });
    const library = (await rest(service.url, "/scripts", { key: secret })).body;
    expect(library.total).toBe(1);

    const answer = await transcribe(service.url, secret, service.newReel());
    expect(answer.status).toBe(401);
    const full = await createKey(person, {});
    const transcription = await transcribeLater(service.url, full.secret, service.newReel());
    const report = (await person.api("importReport", sixteenReels)).body.id as string;
    const newBatch = await rest(service.url, "/transcriptions", {
      key: full.secret,
      body: { urls: [library.scripts[0].reelUrl] },
    });
    const file = { name: "draft.mp4", bytes: 1_000 };
    const { id: fileId } = (await rest(service.url, "/files", { key: full.secret, body: file })).body;
    const scriptId = library.scripts[0].id;
    const { id: accountId } = (await rest(service.url, "/me", { key: full.secret })).body.account;
    const newVideo = await service.store.videos.begin(
      { accountId, fileId, scriptId, style: "oneLine", subtitles: "", seconds: 1, now: service.clock.now() },
      { mostOfAccount: 1, mostBytes: 1 },
    );
    const ids: Record<string, string> = {
      getFile: fileId,
      getVideo: newVideo.kind === "begun" ? newVideo.video.id : "",
      getTranscription: transcription,
      getBatch: newBatch.body.id,
      getCompetitorReport: report,
      getGuide: (await rest(service.url, "/guides")).body.guides[0].slug,
      listWebhookDeliveries: (await addWebhook(person, "https://hooks.example/")).id,
    };
    const queries: Record<string, string> = {
      resolveReel: `?url=${encodeURIComponent(service.newReel())}`,
      listVideos: `?scriptId=${scriptId}`,
    };
    for (const [name, { http, access }] of Object.entries(operations) as [string, Operation][]) {
      const id = ids[name] ?? library.scripts[0].id;
      const {
        status,
        headers: answered,
        body,
      } = await rest(service.url, http.path.replace(/\{\w+\}/, id) + (queries[name] ?? ""), {
        key: secret,
        method: http.method,
        ...(http.method !== "GET" && { body: { url: service.newReel() } }),
      });
      if (http.method === "GET") {
        expect([name, status]).toEqual([name, 200]);
        continue;
      }
      expect([name, access, status, answered.get("x-error-reason")]).toEqual([name, "key", 401, "keyReadOnly"]);
      expect(body.error).toMatchObject({
        code: "unauthorized",
        message: expect.stringMatching(/read-only.*full access/),
      });
    }
    expect(await used(service.url, secret)).toBe(0);
    expect((await rest(service.url, "/scripts", { key: secret })).body.total).toBeLessThanOrEqual(2);
  });

  test("may try a batch, and begin none", async () => {
    const person = await signInNew(service);
    const { secret } = await createKey(person, { readOnly: true });
    const body = { urls: [service.newReel()] };
    const batch = (query: string) => rest(service.url, `/transcriptions${query}`, { key: secret, body });
    expect((await batch("?dryRun=true")).status).toBe(200);
    for (const query of ["", "?dryRun=false"])
      expect((await batch(query)).headers.get("x-error-reason")).toBe("keyReadOnly");
    expect((await person.api("listBatches", {})).body.batches).toEqual([]);
  });

  test("is counted like any other, refusals too", async () => {
    const person = await signInNew(service);
    const { secret } = await createKey(person, { readOnly: true });
    await transcribe(service.url, secret, service.newReel());
    const { rateLimits } = (await rest(service.url, "/me", { key: secret })).body;
    expect(rateLimits).toMatchObject({ default: { remaining: 58 }, transcribe: { remaining: 9 } });
  });

  test.each(Object.keys(eras) as Era[])("is offered what it may call over MCP, to a %s client", async (era) => {
    const person = await signInNew(service);
    const { secret: reading } = await createKey(person, { readOnly: true });
    const { secret: full } = await createKey(person, {});
    const reader = await connectMcp(service.url, era, reading);
    const writer = await connectMcp(service.url, era, full);
    const offered = (await reader.listTools()).tools;
    const all = (await writer.listTools()).tools;
    expect(offered).toEqual(all.filter(({ annotations }) => annotations?.readOnlyHint));
    const withheld = all.filter(({ name }) => offered.every((tool) => tool.name !== name));
    expect(withheld.map(({ name }) => name)).toEqual([
      "transcribe_reel",
      "upload_file",
      "update_script",
      "update_bio_page",
    ]);
    expect(reader.getInstructions()).toContain("search_my_scripts");
    expect(reader.getInstructions()).not.toContain("transcribe_reel");
    expect(writer.getInstructions()).toContain("transcribe_reel");
    expect((await reader.callTool({ name: "get_my_usage", arguments: {} })).isError).not.toBe(true);
    for (const [name, input] of [
      ["transcribe_reel", { url: service.newReel() }],
      ["update_bio_page", { displayName: "Mine now" }],
    ] as const) {
      const refused = await reader.callTool({ name, arguments: input });
      expect([name, refused.isError, textOf(refused)]).toEqual([
        name,
        true,
        expect.stringMatching(/^\[unauthorized\] This API key is read-only.*full access/),
      ]);
    }
    expect((await writer.callTool({ name: "update_bio_page", arguments: { displayName: "Mine" } })).isError).not.toBe(
      true,
    );
    await Promise.all([reader.close(), writer.close()]);
  });
});

test("operations with their own rate bucket are never GET", () => {
  const costly = Object.values(allOperations).filter(
    ({ http, ...more }: Operation) => http.method === "GET" && more.bucket,
  );
  expect(costly).toEqual([]);
});
