import { request } from "node:http";
import { expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const messageLimit = 30;
const platformLimit = 5;
const service = serviceOfTests({ transcriber: null, messageLimit, platformLimit, rateLimits: { default: 60 } });

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const callUsage = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_my_usage", arguments: {} } };

const headersOf = (key?: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
});

async function post(body: unknown, key?: string) {
  const content = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${service.url}/mcp`, { method: "POST", headers: headersOf(key), body: content });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function statusesOf(count: number, body: unknown, key?: string): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await post(body, key)).status);
  return statuses;
}

const remaining = async (key: string): Promise<string | null> =>
  (await rest(service.url, "/usage", { key })).headers.get("ratelimit-remaining");

/** Begins a request whose body never comes, and waits for its answer. */
const begin = (key: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const begun = request(`${service.url}/mcp`, {
      method: "POST",
      headers: { ...headersOf(key), "content-length": "1000" },
    });
    begun.on("error", reject).on("response", (response) => {
      resolve(response.statusCode);
      begun.destroy();
    });
    begun.flushHeaders();
  });

test("messages with a valid key have their own limit", async () => {
  const { key } = await service.createCaller();
  expect(new Set(await statusesOf(messageLimit, list, key))).toEqual(new Set([200]));
  const refused = await post(list, key);
  expect([refused.status, refused.headers.get("x-error-reason")]).toEqual([429, "tooManyRequests"]);
  expect(refused.text).toContain(`At most ${messageLimit} MCP messages per hour`);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await begin(key)).toBe(429);
  expect(await remaining(key), "the calls are as they were").toBe("59");
});

test("tool calls count as messages, and so do a batch's messages", async () => {
  const { key } = await service.createCaller();
  expect(await statusesOf(10, callUsage, key)).not.toContain(429);
  expect(await remaining(key)).toBe("49");
  const batch = Array.from({ length: 10 }, (_, id) => ({ ...list, id }));
  const [first, second, third] = await statusesOf(3, batch, key);
  expect([first, second]).not.toContain(429);
  expect(third).toBe(429);
});

test("each key, and each network of strangers, has messages of its own", async () => {
  const caller = await service.createCaller();
  const second = await caller.createKey();
  expect((await statusesOf(messageLimit + 1, list)).at(-1)).toBe(429);
  expect((await statusesOf(messageLimit + 1, list, caller.key)).at(-1)).toBe(429);
  expect((await post(list, second.key)).status).toBe(200);
  expect((await rest(service.url, "/plans")).status, "other public questions are counted elsewhere").toBe(200);
});

test("deeply nested messages are refused at every door before parsing", async () => {
  const { key } = await service.createCaller();
  const deep = "[".repeat(200_000);
  const inField = `{"url":${deep.slice(0, 50_000)}`;
  const inText = JSON.stringify({ ...callUsage, params: { name: "get_my_usage", arguments: deep.slice(0, 90_000) } });
  for (const body of [deep, inText, `{"jsonrpc":"2.0","params":${deep}`, "[{".repeat(33)]) {
    const answer = await post(body, key);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("nested more than 64 levels")]);
  }
  const answer = await rest(service.url, "/transcribe", { key, body: inField });
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining("nested more than 64")]);
  const brackets = {
    ...callUsage,
    params: { name: "search_my_scripts", arguments: { query: `"\\${"[{".repeat(90)}` } },
  };
  expect((await post(brackets, key)).text, "signs in a text are no lists").not.toContain("nested");
});

test("an account's keys share its hourly limit of platform requests", async () => {
  const [caller, other] = await Promise.all([service.createCaller(), service.createCaller()]);
  const second = await caller.createKey();
  const resolve = (key: string) =>
    rest(service.url, `/reels/resolve?url=${encodeURIComponent(service.newReel())}`, { key });
  for (let count = 0; count < platformLimit; count += 1) expect((await resolve(caller.key)).status).toBe(200);
  for (const key of [caller.key, second.key]) {
    const refused = await resolve(key);
    expect([refused.status, refused.headers.get("x-error-reason")]).toEqual([429, "tooManyRequests"]);
    expect(refused.body.error.message).toContain("5 requests that ask the platform per hour");
  }
  const link = encodeURIComponent(`${service.standin.origin}/share/reel/BAnobody01/`);
  expect((await rest(service.url, `/scripts?url=${link}`, { key: caller.key })).status, "share links too").toBe(429);
  expect((await resolve(other.key)).status).toBe(200);
});
