import { operations, type Operation } from "@reelscript/contract";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { registryEntry } from "../../src/mcp/build-server.ts";
import { newestScriptId, transcribe as addScript } from "../database/conformance/fixtures.ts";
import { connectMcp, eras, type Era } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate, rateLimits: { default: 60 } });

const declaredTools = (Object.values(operations) as Operation[]).flatMap(({ tools = [], access, example }) =>
  tools.map(({ name }) => ({ name, access, example })),
);
const protectedTools = declaredTools.filter(({ access }) => access === "key");
const publicTools = declaredTools.filter(({ access }) => access === "public");
/** All tools, in the order of `tools/list`. */
const toolNames = [
  "transcribe_reel",
  "upload_file",
  "list_my_scripts",
  "search_my_scripts",
  "update_script",
  "get_my_usage",
  "get_reel_details",
  "list_my_competitor_reports",
  "get_competitor_report",
  "get_my_bio_page",
  "update_bio_page",
  "get_bio_analytics",
  "find_guide",
  "get_product_overview",
  "get_plans",
];
const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? "";

test("a request without a key is 401 if any message needs one", async () => {
  const called = (name: unknown, given?: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const listRequest = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
  const statusOf = async (body: unknown, query = ""): Promise<[number, boolean]> => {
    const answer = await fetch(`${service.url}/mcp${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(body),
    });
    await answer.text();
    const challenge = answer.headers.get("www-authenticate") ?? "";
    return [answer.status, challenge.includes("/.well-known/oauth-protected-resource/mcp")];
  };
  for (const body of [
    called("get_my_usage", {}),
    called("get_my_usage"),
    called("get_my_usage", null),
    called("transcribe_reel", { url: "not looked at" }),
    [listRequest, called("get_my_bio_page", {})],
  ])
    expect(await statusOf(body), JSON.stringify(body)).toEqual([401, true]);
  expect(await statusOf(called("get_my_usage", {}), "?tools=get_my_usage")).toEqual([401, true]);
  for (const body of [
    listRequest,
    called("get_plans", {}),
    called("nothing_of_ours", {}),
    called(["get_my_usage"], {}),
  ])
    expect((await statusOf(body))[0], JSON.stringify(body)).not.toBe(401);
});

describe.each(Object.keys(eras) as Era[])("a %s client", (era) => {
  test("is offered its address's tools, and learns the names of the others", async () => {
    const { key } = await service.createCaller();
    const client = await connectMcp(service.url, era, key, "?tools=get_my_usage,search_my_scripts");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(["get_my_usage", "search_my_scripts"]);
    expect(client.getInstructions()).not.toContain("transcribe_reel");
    expect((await client.callTool({ name: "get_my_usage", arguments: {} })).isError).toBeFalsy();
    await expect(
      client.callTool({ name: "list_my_scripts", arguments: {} }).then(({ isError, content }) => {
        if (isError) throw new Error(JSON.stringify(content));
      }),
    ).rejects.toThrow("list_my_scripts");
    await client.close();
    const refused = await fetch(`${service.url}/mcp?tools=get_my_usage,get_all`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(
      /^There is no tool named "get_all"\. Use \?tools= with some of these: transcribe_reel, /,
    );
  });

  test("lists tools without a key, with titles, descriptions, annotations, output schemas", async () => {
    const client = await connectMcp(service.url, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    expect(declaredTools.map(({ name }) => name)).toEqual(toolNames);
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTruthy();
      const isPublic = publicTools.some(({ name }) => name === tool.name);
      expect(tool.description, tool.name).toContain(isPublic ? "without an API key" : "(needs an API key)");
      expect(tool.description, tool.name).toMatch(/^[A-Z][^\n]+\.\nUse this tool when you need to:\n(- .+\n){1,4}\w/);
      expect(tool.annotations, tool.name).toMatchObject({
        title: tool.title,
        ...(tool.annotations?.readOnlyHint === false && { destructiveHint: expect.any(Boolean) }),
        readOnlyHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      expect(tool.inputSchema, tool.name).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(tool.outputSchema), tool.name).not.toContain("additionalProperties");
      expect(JSON.stringify(tool), tool.name).not.toMatch(/"\$ref"|"type":\[/);
    }
    const committed: unknown = JSON.parse(await readFile(new URL("../../../tools.json", import.meta.url), "utf8"));
    expect(JSON.parse(JSON.stringify(tools)), "tools.json is what is served; `npm run surface` renews it").toEqual(
      committed,
    );
    await client.close();
  });

  test("gets the same list with and without a key", async () => {
    const { key } = await service.createCaller();
    const clients = await Promise.all([undefined, key].map((one) => connectMcp(service.url, era, one)));
    const [without, within] = await Promise.all(clients.map((client) => client.listTools()));
    expect(within).toEqual(without);
    if (era === "modern") expect(without).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    await Promise.all(clients.map((client) => client.close()));
  });

  test("is refused protected tools without a key, and learns how to authenticate", async () => {
    const client = await connectMcp(service.url, era);
    for (const { name } of protectedTools)
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toThrow(/Authorization: Bearer svc_sk_/);
    expect((await client.callTool({ name: "get_plans", arguments: {} })).isError ?? false).toBe(false);
    await client.close();
  });

  test("is sent to the dashboard for nothing that a tool does", async () => {
    const client = await connectMcp(service.url, era);
    const [, dashboard = ""] =
      /Only a person in the dashboard \(\S+\) can ([^.]+)\./.exec(client.getInstructions() ?? "") ?? [];
    expect(dashboard).toBe(
      "correct or share scripts, create reports, claim a bio handle, create keys and change the plan",
    );
    const { tools } = await client.listTools();
    const script = tools.find(({ name }) => name === "update_script")?.inputSchema.properties ?? {};
    const list = tools.find(({ name }) => name === "list_my_scripts")?.inputSchema.properties ?? {};
    expect([Object.keys(script), Object.keys(list)]).toEqual([
      ["id", "ids", "query", "add", "remove", "tags", "deleted", "video"],
      expect.arrayContaining(["csv", "deleted"]),
    ]);
    await client.close();
  });

  test("learns the service's site and icon", async () => {
    const client = await connectMcp(service.url, era);
    const { websiteUrl, icons = [] } = client.getServerVersion() ?? {};
    expect([websiteUrl, icons.length]).toEqual([service.url, 1]);
    for (const { src, mimeType } of icons) {
      const icon = await fetch(src);
      expect([icon.status, icon.headers.get("content-type")?.split(";", 1)[0]]).toEqual([200, mimeType]);
    }
    await client.close();
  });

  test("may call the public tools without a key", async () => {
    expect(publicTools.map(({ name }) => name).toSorted()).toEqual(["find_guide", "get_plans", "get_product_overview"]);
    const client = await connectMcp(service.url, era);
    for (const { name, example } of publicTools) {
      const result = await client.callTool({ name, arguments: example });
      expect(result.isError ?? false, name).toBe(false);
      expect(result.structuredContent, name).toBeDefined();
      expect(textOf(result).length, name).toBeGreaterThan(50);
    }
    await client.close();
  });

  test("cannot connect or call with a wrong key", async () => {
    await expect(connectMcp(service.url, era, "svc_sk_wrong").then((client) => client.listTools())).rejects.toThrow(
      /401|"code":"unauthorized"/,
    );
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer svc_sk_wrong", "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
  });

  test("transcribes with rising progress, reads the library, and finds the cache free", async () => {
    const { key } = await service.createCaller();
    const client = await connectMcp(service.url, era, key);
    const url = service.newReel();
    const progress: number[] = [];
    // The words come after the first step, however slow the machine is.
    gate.close();
    const fresh = await client.callTool(
      { name: "transcribe_reel", arguments: { url } },
      {
        onprogress(step) {
          progress.push(step.progress);
          gate.open();
        },
      },
    );
    expect(fresh.isError ?? false).toBe(false);
    expect(fresh.structuredContent).toMatchObject({ language: "en", cached: false, usage: { used: 1, limit: 10 } });
    expect(textOf(fresh)).toContain((fresh.structuredContent as { transcript: string }).transcript);
    expect(progress.length).toBeGreaterThan(0);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(new Set(progress).size).toBe(progress.length);

    const cached = await client.callTool({ name: "transcribe_reel", arguments: { url } });
    expect(cached.structuredContent).toMatchObject({ cached: true, usage: { used: 1 } });
    expect((await transcribe(service.url, key, url)).body).toEqual(cached.structuredContent);

    const listResult = await client.callTool({ name: "list_my_scripts", arguments: { sort: "views" } });
    expect(listResult.structuredContent).toMatchObject({ total: 1, scripts: [{ reelUrl: url }] });
    const result = await client.callTool({ name: "search_my_scripts", arguments: { query: "sentence" } });
    const [{ transcript: _, hits: __, ...overRest }] = (await rest(service.url, "/scripts?query=sentence", { key }))
      .body.scripts;
    expect(result.structuredContent).toMatchObject({ scripts: [overRest] });
    await client.close();
  });

  test("gets wrong input, unknown reels and full buckets as helpful errors", async () => {
    const { key } = await service.createCaller();
    const client = await connectMcp(service.url, era, key);
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input });
      expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
      return textOf(result);
    };
    expect(await call("transcribe_reel", {})).toMatch(/^\[invalidRequest\] `url`: give url or urls/);
    expect(await call("transcribe_reel", { url: "https://example.com/x" })).toMatch(/^\[invalidRequest\]/);
    expect(await call("list_my_scripts", { limit: 51 })).toMatch(/^\[invalidRequest\] `limit`/);
    expect(await call("list_my_scripts", { query: "x" })).toMatch(/^\[invalidRequest\] `query`/);
    expect(await call("search_my_scripts", {})).toMatch(/^\[invalidRequest\] `query` is missing/);
    for (let count = 3; count <= 10; count += 1) await call("transcribe_reel", {});
    expect(await call("transcribe_reel", {})).toMatch(/^\[rateLimited\] .* Try again in \d+ seconds/);
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow("no_such_tool");
    await client.close();
  });
});

test.each([
  ["get_product_overview", {}, "/overview"],
  ["get_plans", {}, "/plans"],
  ["find_guide", { query: "hook", limit: 2, body: true }, "/guides?query=hook&limit=2&body=true"],
  ["get_my_usage", {}, "/usage"],
  ["get_my_bio_page", {}, "/bio?revisions=true"],
  ["list_my_competitor_reports", {}, "/competitor-reports"],
])("%s answers as REST does", async (name, input, path) => {
  const { key } = await service.createCaller();
  const client = await connectMcp(service.url, "modern", key);
  const { structuredContent } = await client.callTool({ name, arguments: input });
  const { thisHour, ...expected } = (await rest(service.url, path, { key })).body;
  const hour = (structuredContent as { readonly thisHour?: typeof thisHour }).thisHour;
  expect(structuredContent).toEqual({ ...expected, ...(thisHour !== undefined && { thisHour: hour }) });
  expect(hour?.requests.limit, "the calls that are left have changed meanwhile").toBe(thisHour?.requests.limit);
  await client.close();
});

test("get_reel_details answers as REST does", async () => {
  const { key } = await service.createCaller();
  const client = await connectMcp(service.url, "modern", key);
  const url = service.newReel();
  const { structuredContent } = await client.callTool({ name: "get_reel_details", arguments: { url } });
  const { resolvedAt: _, ...resolved } = (await rest(service.url, `/reels/resolve?url=${url}`, { key })).body;
  expect(structuredContent).toMatchObject(resolved);
  await client.close();
});

test("get_reel_details says of a reel that is longer than what is transcribed that it would be cut", async () => {
  const { key } = await service.createCaller();
  const cutOf = async (seconds: number) => {
    const url = service.newReel({ seconds });
    return (await rest(service.url, `/reels/resolve?url=${url}`, { key })).body.transcript.audioCut;
  };
  expect([await cutOf(900), await cutOf(901), await cutOf(5_400)]).toEqual([undefined, true, true]);
});

test("numbers in answers of tools have no tails", async () => {
  const { key, accountId } = await service.createCaller();
  // 224 of 1,000 as a percentage is 22.400000000000002.
  const counts = { views: 1_000, likes: 200, comments: 24 };
  await addScript(service.store, accountId, { text: "Salt comes first.", ...counts });
  const client = await connectMcp(service.url, "modern", key);
  const call = async (name: string, given: object) =>
    client.callTool({ name, arguments: given as Record<string, unknown> });
  const answers = [
    await call("list_my_scripts", { ids: [await newestScriptId(service.store, accountId)] }),
    await call("list_my_scripts", {}),
    await call("search_my_scripts", { query: "salt" }),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain("22.4");
    expect(JSON.stringify(answer)).not.toMatch(/\d\.\d{9,}/);
  }
  await client.close();
});

test("a list by a count that isn't known says so, and by which count it could be sorted", async () => {
  const { key, accountId } = await service.createCaller();
  await addScript(service.store, accountId, { text: "Salt comes first.", likes: 200 });
  const client = await connectMcp(service.url, "modern", key);
  const sorted = async (sort: string) =>
    textOf(await client.callTool({ name: "list_my_scripts", arguments: { sort } }));
  expect(await sorted("views")).toContain(
    "No views are known of these, so the newest come first. Sort by likes instead.",
  );
  expect(await sorted("engagement")).toContain("No engagement is known of these");
  expect(await sorted("likes")).not.toContain("are known of these");
  expect(await sorted("date")).not.toContain("are known of these");
  await client.close();
});

test("the registry's entry equals server.json and what the service shows", async () => {
  const committed: unknown = JSON.parse(await readFile(new URL("../../../server.json", import.meta.url), "utf8"));
  expect(committed, "renew it with `npm run surface`").toEqual(registryEntry("https://reelscript.example"));
  expect(committed).toMatchObject({ name: "example.reelscript/reelscript" });
  const response = await fetch(`${service.url}/server.json`);
  expect([response.status, await response.json()]).toEqual([200, registryEntry(service.url)]);
});

describe("guards", () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });

  test("a page of another origin is refused, our own isn't", async () => {
    expect((await post({ origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ origin: "null" })).status).toBe(403);
    expect((await post({ origin: service.url })).status).toBe(200);
  });

  test("discovery of other kinds of sign-in finds JSON, never HTML", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource/other",
      "/.well-known/openid-configuration",
      "/register",
    ]) {
      const accept = path === "/register" ? "application/json" : "text/html,*/*";
      const response = await fetch(`${service.url}${path}`, { headers: { accept } });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        404,
        expect.stringContaining("application/json"),
      ]);
    }
  });

  test("there is no stream to get and no session to delete", async () => {
    for (const method of ["GET", "DELETE"]) expect((await fetch(`${service.url}/mcp`, { method })).status).toBe(405);
  });

  test("protocol messages do not count against the rate limit", async () => {
    const { key } = await service.createCaller();
    for (let count = 0; count < 70; count += 1) await (await post({ authorization: `Bearer ${key}` })).text();
    const { headers } = await rest(service.url, "/usage", { key });
    expect(headers.get("ratelimit-remaining")).toBe("59");
  });
});
