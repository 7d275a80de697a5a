import { expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate, rateLimits: { default: 60, transcribe: 10 } });

async function ask(method: string, params: object): Promise<{ readonly error?: { code: number; message: string } }> {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return response.json();
}

test.each([["nonsense"], [""], [null], [17]])(
  "the cursor %j of the tools' list is refused in a sentence",
  async (cursor) => {
    const { error } = await ask("tools/list", { cursor });
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/cursor/i) });
  },
);

test("pages on the visitor's own machine may call, as their preflight says; others may not", async () => {
  const preflight = (origin: string) =>
    fetch(`${service.url}/mcp`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
  const post = (origin: string) =>
    fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { origin, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  for (const origin of ["http://localhost:6274", "http://127.0.0.1:5173", "http://[::1]:8080"]) {
    const before = await preflight(origin);
    const answer = await post(origin);
    expect([before.status, answer.status], origin).toEqual([204, 200]);
    for (const { headers } of [before, answer]) expect(headers.get("access-control-allow-origin")).toBe(origin);
  }
  for (const origin of ["https://stranger.example", "http://localhost.stranger.example", "null"]) {
    const before = await preflight(origin);
    const answer = await post(origin);
    expect(before.headers.get("access-control-allow-origin"), origin).toBeNull();
    expect(answer.status, origin).toBe(403);
  }
});

test("usage has the calls that are left this hour", async () => {
  const { key } = await service.createCaller();
  const { call, close } = await connectAgent(service.url, key);
  const { data, text } = await call("get_my_usage");
  expect(data.thisHour).toEqual({
    requests: { limit: 60, remaining: 59 },
    transcriptions: { limit: 10, remaining: 10 },
  });
  expect(text).toContain("remaining 59");
  await close();
});
