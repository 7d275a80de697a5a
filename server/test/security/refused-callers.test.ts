import { describe, expect, test } from "vitest";
import { createApiKey } from "../../src/callers/authenticate.ts";
import { createCookieJar } from "../harness/cookie-jar.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const limit = 3;

describe("calls that are refused", () => {
  const service = serviceOfTests({
    transcriber: null,
    signInLimit: 9,
    messageLimit: limit,
    rateLimits: { bioWrite: 2, address: limit },
  });

  const statuses = async (count: number, call: () => Promise<{ status: number }>): Promise<number[]> => {
    const statusCodes = [];
    for (let done = 0; done < count; done += 1) statusCodes.push((await call()).status);
    return statusCodes;
  };
  const send = (messages: unknown, key?: string, query = "") =>
    fetch(`${service.url}/mcp${query}`, {
      method: "POST",
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: typeof messages === "string" ? messages : JSON.stringify(messages),
    });
  const callOf = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
  const callTool = (key?: string) => send(callOf("get_my_usage"), key);

  test.each([
    ["a key that nobody has", () => rest(service.url, "/usage", { key: createApiKey().key })],
    ["a malformed key", () => rest(service.url, "/usage", { key: "svc_sk_nonsense" })],
    ["a wrong key where nothing is", () => rest(service.url, "/nowhere", { key: "svc_sk_nonsense" })],
    ["no key where one is needed", () => rest(service.url, "/usage")],
    ["a wrong key at the tools", () => callTool("svc_sk_nonsense")],
  ])("count per address: %s", async (_name, call) => {
    service.clock.advance(hour);
    const { key } = await service.createCaller();
    const person = await signIn(service, { email: "neighbor@example.com" });
    expect(await statuses(limit + 2, call)).toEqual([401, 401, 401, 429, 429]);
    const refused = await call();
    if ("headers" in refused) expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect((await rest(service.url, "/usage", { key })).status, "who has a key there is not locked out").toBe(200);
    expect((await callTool(key)).status).toBe(200);
    expect((await person.api("getUsage")).status, "nor who is signed in").toBe(200);
    expect(await statuses(limit, () => rest(service.url, "/guides")), "what is public stays so").toEqual([
      200, 200, 200,
    ]);
    service.clock.advance(hour);
    expect((await call()).status).toBe(401);
  });

  test("without a key at the tools count too", async () => {
    service.clock.advance(hour);
    expect(await statuses(limit + 1, () => callTool())).toEqual([...Array(limit).fill(401), 429]);
  });

  test("that list tools count per address and key, and per message", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const { key } = await service.createCaller();
    service.clock.advance(hour);
    expect(await statuses(limit + 1, () => send(list))).toEqual([200, 200, 200, 429]);
    expect((await send("nonsense")).status).toBe(429);
    expect(await statuses(limit + 1, () => send(list, key))).toEqual([200, 200, 200, 429]);
    service.clock.advance(hour);
    expect((await send(Array(limit + 1).fill(list))).status).toBe(429);
    service.clock.advance(hour);
    const long = await send(Array(11).fill(list), key);
    expect([long.status, (await long.json()).error.message]).toEqual([400, "A batch has at most 10 messages."]);
  });

  test("of tools without a key count per address, even without running one", async () => {
    const call = callOf("get_plans");
    const { id: _, ...notice } = call;
    const nested = JSON.stringify({ ...call, params: { name: "get_plans", arguments: { deep: "deep" } } });
    const ways: [string, string, string?][] = [
      ["no such tool", JSON.stringify({ ...call, params: { name: "get_all" } })],
      ["not offered", JSON.stringify(call), "?tools=get_product_overview"],
      ["nothing to answer", JSON.stringify(notice)],
      ["no input", JSON.stringify({ ...call, params: { name: "get_plans", arguments: [] } })],
      ["deeper than a stack", nested.replace('"deep"}', `${"[".repeat(50_000)}${"]".repeat(50_000)}}`)],
    ];
    for (const [name, body, query] of ways) {
      service.clock.advance(hour);
      const texts = [];
      for (let count = 0; count <= limit; count += 1) texts.push(await (await send(body, undefined, query)).text());
      expect(
        texts.findIndex((text) => text.includes("rateLimited")),
        name,
      ).toBe(limit);
      expect(texts.join(""), name).not.toContain("call stack");
    }
  });

  test("of a sign-in don't prevent anybody from finishing theirs", async () => {
    service.clock.advance(hour);
    const jar = createCookieJar();
    const page = await jar.follow(`${service.url}/auth/login?return_to=/app/keys`);
    const away = await jar.follow(
      page.at,
      {
        method: "POST",
        headers: { origin: service.url, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ email: "late@example.com" }),
      },
      (next) => new URL(next).pathname === "/auth/callback",
    );
    const forged = () => fetch(`${service.url}/auth/callback?state=nonsense`, { redirect: "manual" });
    expect((await statuses(9, forged)).at(-1), "a callback of nobody's counts").toBe(429);
    const back = await jar.fetch(away.headers.get("location")!);
    expect([back.status, back.headers.get("location")]).toEqual([303, `${service.url}/app/keys`]);
  });

  test("stay refused after deleting the account: limits return with the owner", async () => {
    service.clock.advance(hour);
    const person = await signIn(service, { email: "returning@example.com" });
    const newKey = async (who: typeof person): Promise<string> =>
      (await who.api("createKey", { name: "test" })).body.secret;
    const write = (key: string) => rest(service.url, "/bio", { key, method: "PATCH", body: { bio: "hello" } });
    const key = await newKey(person);
    expect(await statuses(3, () => write(key))).toEqual([200, 200, 429]);
    expect((await person.api("deleteAccount", { confirm: "returning@example.com" })).status).toBe(200);
    const back = await signIn(service, { email: "returning@example.com" });
    expect(back.accountId).not.toBe(person.accountId);
    const nextKey = await newKey(back);
    expect((await write(nextKey)).status).toBe(429);
    const stranger = await signIn(service, { email: "stranger@example.com" });
    expect((await write(await newKey(stranger))).status).toBe(200);
    service.clock.advance(hour);
    expect((await write(nextKey)).status).toBe(200);
  });
});
