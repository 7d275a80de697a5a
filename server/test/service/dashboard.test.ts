import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { plans } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { sampleRanges } from "../../src/http/public-pages/home-proofs.ts";
import { readConfig } from "../../src/settings/config.ts";
import { ask } from "../harness/ask.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const assets = fileURLToPath(new URL("../../../web/dist/assets", import.meta.url));

const service = serviceOfTests({
  transcriber: null,
  operator: { name: "Lena <Bakes> Ltd", address: "1 Oven Street\nLisbon", contact: "mailto:hello@bakes.example" },
  securityContact: "mailto:security@reelscript.example",
});

/** Pages are for people who seem to be signed in. */
const cookie = "reelscript_session=none";
const load = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(address, service.url), {
    redirect: "manual",
    ...init,
    headers: { cookie: address.startsWith("/app") ? cookie : "", ...(init.headers as Record<string, string>) },
  });

/** `fetch` would undo the compression, and tells servers to ignore what it has. */
const askFor = (address: string, accepted: string, headers: Record<string, string> = {}) =>
  ask(service.url, address, { "accept-encoding": accepted, cookie, ...headers });

/** Reads the addresses of the scripts and styles that the page loads first. */
async function firstLoad(): Promise<readonly string[]> {
  const page = await (await load("/app")).text();
  return [...page.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, address]) => address!); // safe: the group is in the pattern
}

describe("the dashboard", () => {
  test("is one revalidated document at every path, without foreign content", async () => {
    const tag = (await load("/app")).headers.get("etag");
    for (const address of [
      "/app",
      "/app/",
      "/app/library?query=hook",
      "/app/scripts/scr_1",
      "/app/apish",
      "/app/no/such/page",
    ]) {
      const page = await load(address);
      expect([address, page.status, page.headers.get("content-type"), page.headers.get("etag")]).toEqual([
        address,
        200,
        "text/html; charset=utf-8",
        tag,
      ]);
      expect(page.headers.get("cache-control")).toBe("no-cache");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      const { origin, mediaOrigin } = service.standin;
      expect(policy, "reels are played from where they are").toContain(
        `; frame-src 'self' https://www.instagram.com https://www.tiktok.com https://www.youtube-nocookie.com; media-src 'self' ${origin} ${mediaOrigin}; `,
      );
      expect(policy.replace(/(frame|media)-src [^;]*;/g, ""), "no other host, no exception").not.toMatch(
        /https?:|\*|unsafe/,
      );
      expect(await page.text(), "neither script nor style in the page").not.toMatch(
        /<script(?![^>]* src=)|<style|\sstyle=/,
      );
    }
    const { headers } = await askFor("/app", "br");
    const again = await askFor("/app", "br", { "if-none-match": String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test("sends people without a session to sign in, and back afterward", async () => {
    const without = { headers: { cookie: "" } };
    for (const address of ["/app", "/app/library?query=a%20b", "/app/scripts/scr_1", "/app/connect?state=x"]) {
      const { status, headers } = await load(address, without);
      expect([address, status, headers.get("cache-control")]).toEqual([address, 302, "no-store"]);
      const target = new URL(headers.get("location") ?? "", service.url);
      expect([target.pathname, target.searchParams.get("return_to")]).toEqual(["/app/sign-in", address]);
    }
    for (const address of ["/app/sign-in?error=expired", "/app/signed-in", "/app/connect/done"])
      expect([address, (await load(address, without)).status]).toEqual([address, 200]);
  });

  test("keeps for ever what is named after its content, and compresses it", async () => {
    const addresses = await firstLoad();
    expect(addresses.filter((address) => address.endsWith(".js"))).not.toEqual([]);
    expect(addresses.filter((address) => address.endsWith(".css"))).not.toEqual([]);
    for (const address of addresses) {
      const plain = await load(address, { headers: { "accept-encoding": "identity" } });
      expect([address, plain.status, plain.headers.get("cache-control")]).toEqual([
        address,
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect(plain.headers.get("content-type")).toMatch(/^((application|text)\/javascript|text\/css|font\/woff2)/);
    }
    const script = addresses.find((address) => address.endsWith(".js")) ?? "";
    const file = await readFile(path.join(assets, path.basename(script)));
    const brotli = await askFor(script, "br, gzip");
    const gzip = await askFor(script, "gzip");
    expect([brotli, gzip].map(({ headers }) => headers["content-encoding"])).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(brotli.bytes).equals(file)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(file)).toBe(true);
  });

  test("has nothing at unknown files or calls", async () => {
    for (const address of [
      "/app/assets/none.js",
      "/app/assets/",
      "/app/assets/..%2findex.html",
      "/app/assets/%252e%252e%252fbuilt-from.txt",
      "/app/api",
      "/app/api/",
      "/app/api/none",
    ]) {
      const response = await load(address);
      expect([address, response.status, response.headers.get("content-type")]).toEqual([
        address,
        404,
        "application/json; charset=utf-8",
      ]);
    }
    expect(await (await load("/app/built-from.txt")).text()).toMatch(/^<!doctype html>/);
    for (const [address, method, status] of [
      ["/app", "POST", 405],
      ["/app/library", "DELETE", 405],
      ["/app/api/none", "POST", 404],
    ] as const)
      expect([address, (await load(address, { method })).status]).toEqual([address, status]);
    expect((await load("/app/library", { method: "HEAD" })).status).toBe(200);
  });

  test("brings no schemas along, and little at first", async () => {
    const scripts = (await firstLoad()).filter((address) => address.endsWith(".js"));
    const sizes = await Promise.all(scripts.map(async (address) => (await askFor(address, "gzip")).bytes.length));
    // 1.2 kB of it are people's own files and passwords; 300 bytes give messages their quotation marks, in the errors of every page.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(136_900);
    for (const name of (await readdir(assets)).filter((file) => file.endsWith(".js")))
      expect(await readFile(path.join(assets, name), "utf8"), name).not.toMatch(/ZodError|invalid_union/);
  });
});

interface SampleComparison {
  readonly kind: string;
  readonly outcome: string;
  readonly clear: boolean;
  readonly upTo?: number;
  readonly times: number;
  readonly low: number;
  readonly high: number;
}

describe("pages that anybody may read", () => {
  const read = async (path: string) => {
    const response = await load(path, { headers: { accept: "text/html" } });
    return { response, text: await response.text() };
  };

  test.each(["/", "/privacy", "/terms"])(
    "%s is small, without cookies and scripts, loading only our files",
    async (path) => {
      const { response, text } = await read(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(text).not.toMatch(/<script|<iframe|(?:src|href)="(?:https?:)?\/\//);
      const fonts = [...text.matchAll(/url\((\/[^)]+)\)/g)].map(([, address = ""]) => address);
      expect(fonts.length).toBeGreaterThan(0);
      let bytes = Buffer.byteLength(text);
      for (const font of new Set(fonts))
        bytes += (await (await fetch(`${service.url}${font}`)).arrayBuffer()).byteLength;
      expect(bytes).toBeLessThan(100_000);
    },
  );

  test("the home page has a link field, a whole sample, and pictures", async () => {
    const { response, text } = await read("/");
    expect(text).toContain('<form class="paste" action="/try">');
    expect(response.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(text, "no words come later").not.toMatch(/@keyframes|animation/);
    const pictures = [...text.matchAll(/(?:src|srcset)="(\/docs\/[\w-]+\.webp)"/g)].map(([, address = ""]) => address);
    expect(new Set(pictures).size).toBe(10);
    for (const address of pictures) {
      const picture = await load(address);
      expect([address, picture.status, picture.headers.get("content-type")]).toEqual([address, 200, "image/webp"]);
      expect((await picture.arrayBuffer()).byteLength, address).toBeLessThan(120_000);
    }
  });

  test("the home page shows ranges of the sample report, rounded outward", async () => {
    const file = new URL("../../../web/src/pages/reports/sample-report.json", import.meta.url);
    const { comparisons } = JSON.parse(await readFile(file, "utf8")) as { comparisons: SampleComparison[] };
    for (const { kind, times, low, high, isClear } of sampleRanges) {
      const comparison = comparisons.find(
        (one) => one.kind === kind && one.outcome === "views" && (kind !== "length" || one.upTo === 31),
      );
      expect(comparison?.clear, kind).toBe(isClear);
      expect(Math.abs(times - comparison!.times), kind).toBeLessThan(0.005);
      expect(low, kind).toBeLessThanOrEqual(comparison!.low);
      expect(comparison!.low - low, kind).toBeLessThan(0.01);
      expect(high, kind).toBeGreaterThanOrEqual(comparison!.high);
      expect(high - comparison!.high, kind).toBeLessThan(0.1);
    }
  });

  test("the home page has the prices in force", async () => {
    const { text } = await read("/");
    for (const { name, dollarsPerMonth } of Object.values(plans)) {
      expect(text).toContain(`<h3>${name}</h3>`);
      expect(text).toContain(`$${dollarsPerMonth} `);
    }
    expect(text, "what one costs").toContain("250 transcriptions a month, 4¢ each");
  });

  test.each(["/privacy", "/terms"])("%s names the operator, who may be called anything", async (path) => {
    const { text } = await read(path);
    expect(text).toContain("Lena &lt;Bakes&gt; Ltd");
    expect(text).toContain("1 Oven Street\nLisbon");
    expect(text).toContain('href="mailto:hello@bakes.example"');
  });

  test("the operator says where to report weaknesses", async () => {
    const { response, text } = await read("/.well-known/security.txt");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^Contact: mailto:security@reelscript\.example\nExpires: \d{4}-\S+Z\n/);
    expect(text).toContain(`Canonical: ${service.url}/.well-known/security.txt\n`);
    expect(() => readConfig({ SECURITY_CONTACT: "somebody\nExpires: never" }, "/")).toThrow(
      /SECURITY_CONTACT.*mailto:/,
    );
  });
});
