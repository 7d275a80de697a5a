import { request as send } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { equalityCases, type EqualityCase } from "./equality-cases.ts";

const fastPath = new URL("../../src/mcp/fast-path.ts", import.meta.url).pathname;

let service: TestService;
let slow: TestService;
beforeAll(async () => {
  service = await startTestService({ transcriber: null });
  // The same service once more, in which every request goes to the protocol library.
  vi.resetModules();
  vi.doMock(fastPath, () => ({ createFastPath: () => async () => false }));
  const harness = await import("../harness/start-test-service.ts");
  slow = await harness.startTestService({ transcriber: null });
});
afterAll(async () => {
  vi.doUnmock(fastPath);
  await Promise.all([service.close(), slow.close()]);
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly message: unknown;
  /** An answer that was known whole has its length; streams and those of the protocol library have none. */
  readonly isFast: boolean;
}

async function answerOf(asked: TestService, one: EqualityCase): Promise<Answer> {
  const { headers, body, key = "own" } = one;
  const keys = {
    own: async () => (await asked.createCaller()).key,
    none: async () => undefined,
    wrong: async () => "svc_sk_x",
  };
  const sent = await keys[key]();
  const response = await fetch(`${asked.url}/mcp`, {
    method: "POST",
    headers: { ...headers, ...(sent !== undefined && { authorization: `Bearer ${sent}` }) },
    body,
  });
  // The two services and their stand-ins listen on ports of their own.
  const text = (await response.text()).replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1");
  const type = response.headers.get("content-type");
  const isStream = type?.startsWith("text/event-stream") === true;
  const data = isStream
    ? text
        .split("\n")
        .filter((line) => line.startsWith("data: {"))
        .map((line) => line.slice(6))
    : [text];
  const header = (name: string) => response.headers.get(name);
  return {
    status: response.status,
    headers: {
      // A legacy client accepts both, and gets a stream of one event from the protocol library.
      type: isStream ? "application/json" : type,
      authenticate: header("www-authenticate"),
      retryAfter: header("retry-after"),
      session: header("mcp-session-id"),
      allow: header("allow"),
      requestId: header("x-request-id") === null ? "none" : "some",
      stored: header("cache-control")?.includes("no-") === true ? "no" : "yes",
    },
    message: data.map((line) => (line === "" ? "" : (JSON.parse(line) as unknown))),
    isFast: response.status === 200 && header("content-length") !== null,
  };
}

describe("the fast path answers as the protocol library does", () => {
  test.each(Object.entries(equalityCases))("%s", async (_, one) => {
    const { isFast, ...answer } = await answerOf(service, one);
    const { isFast: isSlowFast, ...expected } = await answerOf(slow, one);
    expect(answer).toEqual(expected);
    expect([isFast, isSlowFast]).toEqual([one.isFast ?? false, false]);
  });

  test("counts calls against the same rate limit, with the same words at its end", async () => {
    const { headers, body } = equalityCases["modern call of a protected tool"]!;
    const until = async (asked: TestService) => {
      const { key } = await asked.createCaller();
      const texts: string[] = [];
      for (let count = 0; count < 62; count += 1) {
        const response = await fetch(`${asked.url}/mcp`, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${key}` },
          body,
        });
        const { result } = (await response.json()) as { result: { isError?: boolean; content: { text: string }[] } };
        const text = result.isError === true ? (result.content[0]?.text ?? "") : "fine";
        texts.push(text.replace(/\d+ seconds/u, "some seconds"));
      }
      return texts;
    };
    const [own, expected] = [await until(service), await until(slow)];
    expect(own.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => "fine"));
    expect(own[60]).toMatch(/^\[rateLimited\] /);
    expect(own).toEqual(expected);
  });

  test("refuses hosts and origins that are not its own", async () => {
    const { headers, body } = equalityCases["modern list"]!;
    for (const [name, value] of [
      ["host", "evil.example"],
      ["origin", "https://evil.example"],
      ["origin", "null"],
    ] as const) {
      const answers = [service, slow].map(({ url }) => rawPost(url, { ...headers, [name]: value }, String(body)));
      const [own, expected] = await Promise.all(answers);
      expect(own?.status).toBe(403);
      expect(own).toEqual(expected);
    }
  });

  test("reads no further than a body may be long", async () => {
    const { headers } = equalityCases["modern call"]!;
    for (const { url } of [service, slow]) {
      const { status, text } = await rawPost(
        url,
        { ...headers, "transfer-encoding": "chunked" },
        " ".repeat(1_000_000),
      );
      expect(status).toBe(413);
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining("262144 bytes") } });
    }
  });

  test("outlives clients that leave before the answer or in the middle of their body", async () => {
    const { headers, body } = equalityCases["modern call"]!;
    const { port } = new URL(service.url);
    for (const part of [String(body), String(body).slice(0, 20)]) {
      const request = send({
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/mcp",
        headers: { ...headers, "content-length": Buffer.byteLength(String(body)) },
      });
      request.on("error", () => undefined);
      await new Promise<void>((resolve) => request.write(part, () => resolve()));
      request.destroy();
    }
    expect((await answerOf(service, equalityCases["modern call"]!)).status).toBe(200);
  });
});

/** With a Host header of its own, which `fetch` does not send. */
function rawPost(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status?: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = send(`${url}/mcp`, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
      response.on("end", () => resolve({ ...(response.statusCode && { status: response.statusCode }), text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

test("nothing went wrong on our side", () =>
  expect([...service.faults, ...slow.faults].map(({ error }) => String(error))).toEqual([]));
