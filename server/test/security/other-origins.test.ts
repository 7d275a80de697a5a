import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { startSite, type Site } from "../harness/start-site.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import {
  chromiumProgram,
  openChromium,
  openContext,
  unlessSkipped,
} from "../../../web/test/browser/chromium-program.ts";

let service: TestService;
let allowed: Site;
let stranger: Site;
beforeAll(async () => {
  [allowed, stranger] = await Promise.all([startSite(), startSite()]);
  // Another name of the same machine, because hosts of the service may always call.
  stranger = { ...stranger, origin: stranger.origin.replace("127.0.0.1", "stranger.localhost") };
  service = await startTestService({ transcriber: null, corsOrigins: [allowed.origin], rateLimits: { default: 60 } });
});
afterAll(async () => {
  await service.close();
  await Promise.all([allowed.close(), stranger.close()]);
});

const preflight = (path: string, origin: string, method: string) =>
  fetch(`${service.url}${path}`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": method, "access-control-request-headers": "authorization" },
  });

test("a preflight needs no key and counts against no limit", async () => {
  const { key } = await service.createCaller();
  for (let count = 0; count < 5; count += 1) {
    const { status, headers } = await preflight("/api/v1/bio", "https://anywhere.example", "PATCH");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    for (const name of ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer"])
      expect(headers.get("access-control-allow-headers")?.split(", ")).toContain(name);
  }
  const { headers } = await rest(service.url, "/usage", { key });
  expect(headers.get("ratelimit-remaining")).toBe("59");
});

test("what people do with a session stays closed to other sites", async () => {
  const { status, headers } = await preflight("/app/api/me", "https://anywhere.example", "GET");
  expect(status).toBe(405);
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

describe.skipIf(chromiumProgram === undefined)(`a page of another origin in a browser${unlessSkipped}`, () => {
  /** Fetches from a page of `origin`, and returns what that page may read, or that it gets nothing. */
  async function askFrom(origin: string, path: string, init: Record<string, unknown> = {}) {
    const page = await (await openChromium()).newPage();
    await page.goto(origin);
    try {
      return await page.evaluate(
        async ([url, given]) => {
          try {
            const answer = await fetch(url, given);
            return {
              status: answer.status,
              headers: Object.fromEntries(answer.headers.entries()),
              body: await answer.text(),
            };
          } catch {
            return "refused";
          }
        },
        [`${service.url}${path}`, init] as const,
      );
    } finally {
      await page.close();
    }
  }

  test("reads REST with a key, including errors, reasons and documents", async () => {
    const { key } = await service.createCaller();
    const authorization = `Bearer ${key}`;
    const body = JSON.stringify({ displayName: "From a page" });
    const headers = { authorization, "content-type": "application/json", "if-match": '"0"' };
    const changed = await askFrom(stranger.origin, "/api/v1/bio", { method: "PATCH", headers, body });
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"1"' } });
    const stale = await askFrom(stranger.origin, "/api/v1/bio", { method: "PATCH", headers, body });
    expect(stale).toMatchObject({
      status: 412,
      headers: {
        "x-error-reason": "staleRevision",
        "x-request-id": expect.any(String),
        "ratelimit-limit": "20",
        "ratelimit-remaining": expect.any(String),
        "ratelimit-reset": expect.any(String),
      },
    });
    for (const path of ["/openapi.json", "/api/v1/openapi.json", "/llms.txt"])
      expect(await askFrom(stranger.origin, path), path).toMatchObject({ status: 200 });
    expect(
      await askFrom(stranger.origin, "/api/v1/usage", { credentials: "include", headers: { authorization } }),
    ).toBe("refused");
  });

  test("calls MCP only from the origins that the operator named", async () => {
    const { key } = await service.createCaller();
    const call = {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    };
    expect(await askFrom(allowed.origin, "/mcp", call)).toMatchObject({
      status: 200,
      body: expect.stringContaining("transcribe_reel"),
    });
    expect(await askFrom(stranger.origin, "/mcp", call)).toBe("refused");
  });

  test("does nothing on a signed-in person's behalf, and reads nothing", async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/auth/login?return_to=/app/usage`);
    await page.getByLabel("Email").fill("target@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${service.url}/app/usage`);
    expect(await page.evaluate(() => document.cookie), "no script reads the session").toBe("");

    await page.goto(stranger.origin);
    await page.evaluate((url) => {
      document.body.innerHTML = `<form method="post" action="${url}/auth/logout"><button>Win</button></form>`;
    }, service.url);
    await page.getByRole("button", { name: "Win" }).click();
    await page.waitForURL(`${service.url}/auth/logout`);
    await expect.poll(() => page.textContent("h1")).toBe("This was refused");
    await page.goto(stranger.origin);
    const outcome = await page.evaluate(async (url) => {
      const end = (options: RequestInit) =>
        fetch(`${url}/app/api/sessions`, { credentials: "include", ...options }).then(
          (response) => response.type,
          () => "failed",
        );
      return [await end({ method: "DELETE" }), await end({}), await end({ mode: "no-cors" })];
    }, service.url);
    expect(outcome, "neither done nor read").toEqual(["failed", "failed", "opaque"]);
    const session = await context.request.get(`${service.url}/app/api/session`);
    expect((await session.json()).account.email).toBe("target@example.com");
    await context.close();
  });
});
