import { describe, expect, test } from "vitest";
import { guidesDirectory, loadGuides } from "../../src/adapters/guides/load-guides.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";

const guides = await loadGuides(guidesDirectory);

const service = serviceOfTests({ transcriber: null });

const slugsOf = (body: { guides: { slug: string }[] }): string[] => body.guides.map(({ slug }) => slug);
const find = async (query: string) => (await rest(service.url, `/guides?${query}`)).body;

describe("the list", () => {
  test("holds every guide, newest first, with an address that needs no key", async () => {
    const { status, body } = await rest(service.url, "/guides?limit=50");
    expect(status).toBe(200);
    expect(body.total).toBe(guides.length);
    expect(slugsOf(body).toSorted()).toEqual(guides.map(({ slug }) => slug));
    const days = body.guides.map(({ updatedAt }: { updatedAt: string }) => updatedAt);
    expect(days).toEqual(days.toSorted().toReversed());
    for (const guide of body.guides) {
      expect(guide).not.toHaveProperty("bodyMarkdown");
      const { bodyMarkdown, ...rest_ } = (await (await fetch(guide.url)).json()) as { bodyMarkdown: string };
      expect(rest_).toEqual(guide);
      expect(bodyMarkdown.startsWith(`# ${guide.title}\n`)).toBe(true);
      expect(bodyMarkdown, "another machine's address helps nobody").not.toContain("127.0.0.1:8787");
    }
  });

  test("can be narrowed, cut and filled", async () => {
    const { guides: some, total } = await find("category=measuring&limit=1&body=true");
    expect(total).toBe(guides.filter(({ category }) => category === "measuring").length);
    expect(some).toEqual([expect.objectContaining({ category: "measuring", bodyMarkdown: expect.any(String) })]);
  });

  test.each(["category=cooking", "limit=51", "limit=0", "body=perhaps", `query=${"x".repeat(201)}`])(
    "refuses %s",
    async (query) => {
      expect(await rest(service.url, `/guides?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining(`\`${query.split("=")[0]}\``) } },
      });
    },
  );
});

describe("the search", () => {
  test.each([
    ["hook", "write-a-hook"],
    ["HÖOK", "write-a-hook"],
    ["how do I write a better hook?", "write-a-hook"],
    ["rate limit", "transcribe-in-batches"],
  ])("%s finds %s first", async (query, slug) => {
    expect(slugsOf(await find(new URLSearchParams({ query }).toString()))[0]).toBe(slug);
  });

  test("completes the last word, as long as it is being typed", async () => {
    expect(slugsOf(await find("query=accessib"))).toContain("accessible-reels");
    expect(await find("query=accessib%20")).toEqual({ guides: [], total: 0 });
  });

  test("finds nothing where there is nothing", async () => {
    for (const query of ["zebra", "!!!", "%00"]) expect(await find(`query=${query}`)).toEqual({ guides: [], total: 0 });
    expect((await find("query=%20")).total, "blank is no query").toBe(guides.length);
  });
});

const address = () => `${service.url}/api/v1/guides/write-a-hook`;

describe("a guide", () => {
  test("is bare Markdown on request, and otherwise JSON", async () => {
    const json = (await rest(service.url, "/guides/write-a-hook")).body;
    for (const accept of [
      "text/markdown",
      "text/markdown, */*",
      "application/json;q=0.5, Text/Markdown",
      "text/markdown,application/json",
    ]) {
      const response = await fetch(address(), { headers: { accept } });
      expect([response.headers.get("content-type"), response.headers.get("vary")], accept).toEqual([
        "text/markdown; charset=utf-8",
        "accept, accept-encoding",
      ]);
      expect(await response.text()).toBe(json.bodyMarkdown);
    }
    for (const accept of [
      "*/*",
      "application/json",
      "text/html",
      "application/json, text/markdown",
      "text/markdown;q=0.1, application/json",
      "text/markdown;q=0",
      ";;q=,",
    ]) {
      const response = await fetch(address(), { headers: { accept } });
      expect(response.headers.get("content-type"), accept).toBe("application/json; charset=utf-8");
      expect(await response.json()).toEqual(json);
    }
  });

  test("leads to other guides by addresses relative to its own", async () => {
    const { url, bodyMarkdown } = (await rest(service.url, "/guides/write-a-hook")).body;
    const links = Array.from(String(bodyMarkdown).matchAll(/\]\(([a-z-]+)\)/g), ([, target]) => target!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect((await fetch(new URL(link, url))).status, link).toBe(200);
  });

  test("that does not exist is 404, and a wrong name 400", async () => {
    expect(await rest(service.url, "/guides/no-such-guide")).toMatchObject({
      status: 404,
      body: { error: { code: "notFound", message: expect.stringContaining("no-such-guide") } },
    });
    for (const slug of ["Write-A-Hook", "..%2F..%2Fetc%2Fpasswd", "constructor%00", "a".repeat(81)])
      expect((await rest(service.url, `/guides/${slug}`)).status, slug).toBe(400);
    expect((await rest(service.url, "/guides/constructor")).status).toBe(404);
    const error = await fetch(`${service.url}/api/v1/guides/no-such-guide`, { headers: { accept: "text/markdown" } });
    expect(error.headers.get("content-type"), "errors stay JSON").toContain("application/json");
    expect([error.headers.get("cache-control"), error.headers.get("etag")]).toEqual(["no-store", null]);
  });
});

describe("answers that may be kept", () => {
  test.each(["/guides", "/guides?query=hook", "/overview", "/plans"])("%s", async (path) => {
    const { headers } = await fetch(`${service.url}/api/v1${path}`);
    expect(headers.get("etag")).toMatch(/^W\/"[\w-]{22}"$/);
    expect(headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
  });

  test("are not sent to who has them, however that is said", async () => {
    const first = await fetch(address());
    const body = await first.text();
    const tag = first.headers.get("etag") ?? "";
    for (const held of [tag, tag.slice(2), `"other", ${tag}`, "*"]) {
      const again = await fetch(address(), { headers: { "if-none-match": held } });
      expect([again.status, await again.text(), again.headers.get("etag")], held).toEqual([304, "", tag]);
      expect(again.headers.get("cache-control")).toBe(first.headers.get("cache-control"));
    }
    const changed = await fetch(address(), { headers: { "if-none-match": '"other"' } });
    expect([changed.status, await changed.text()]).toEqual([200, body]);
  });

  test("differ by representation, and protected ones are never kept", async () => {
    const tagOf = async (accept: string) => (await fetch(address(), { headers: { accept } })).headers.get("etag");
    expect(await tagOf("text/markdown")).not.toBe(await tagOf("application/json"));
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/usage", { key })).headers.get("cache-control")).toBe("no-store");
  });
});

describe("calls without a key", () => {
  test("without a key are limited exactly per address, over all public calls", async () => {
    const limited = await serviceOfTest({
      transcriber: null,
      rateLimits: { default: 3, transcribe: 1, bioWrite: 1, address: 5 },
    });
    const { key } = await limited.createCaller();
    const ask = (path: string, options = {}) => rest(limited.url, path, options);
    for (const [count, path] of ["/guides", "/guides/write-a-hook", "/guides?limit=0", "/overview"].entries()) {
      const { headers } = await ask(path);
      expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["5", String(4 - count)]);
    }
    expect(await callTool(limited.url, "get_plans")).not.toMatchObject({ isError: true });
    const refused = await ask("/plans");
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "rateLimited", message: expect.stringContaining("without a key") } },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect(await callTool(limited.url, "get_plans")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^\[rateLimited\]/) }],
    });

    for (let left = 2; left >= 0; left -= 1) {
      const { status, headers } = await ask("/guides", { key });
      expect([status, headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual([
        200,
        "3",
        String(left),
      ]);
    }
    expect((await ask("/guides", { key })).status).toBe(429);
    expect((await ask("/guides", { key: "svc_sk_wrong" })).status).toBe(401);
    limited.clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
    expect((await ask("/plans")).status, "after Retry-After").toBe(200);
  });
});

async function callTool(url: string, name: string): Promise<unknown> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(data) as { result: unknown }).result;
}
