import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { ask, type TextAnswer } from "../harness/ask.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const second = 1_000;
const day = 86_400 * second;
const visit = (path: string, headers: Record<string, string> = {}): Promise<TextAnswer> =>
  ask(service.url, path, headers);

let owners = 0;
/** Somebody with a handle and, unless the page is left out, something published. */
async function anOwner(page: Record<string, unknown> | null = {}) {
  owners += 1;
  const handle = `owner.${owners}`;
  const person = await signInNew(service);
  const claim = async (next: string | null) =>
    expect((await person.api("claimBioHandle", { handle: next })).status).toBe(200);
  const publish = async (change: Record<string, unknown>) => {
    const { status, body } = await person.api("updateBioPage", change);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  await claim(handle);
  const links = [{ title: "Newsletter", url: "https://example.com/newsletter?a=1&b=2#c" }];
  const published = page === null ? undefined : await publish({ displayName: "Ana Souza", links, ...page });
  return { handle, path: `/@${handle}`, person, claim, publish, linkId: published?.links[0]?.id as string };
}

describe("a public bio page", () => {
  test("is the same for everybody: caches keep it a minute, browsers revalidate", async () => {
    const { path, handle } = await anOwner();
    const { status, headers, text } = await visit(path);
    expect(status).toBe(200);
    expect(text).toContain("Ana Souza");
    expect(text).toContain(`<link rel="canonical" href="${service.url}/@${handle}">`);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=60",
      vary: "accept-encoding",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src [^;]+; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
    });
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("is sent once to each cache, and again after publishing", async () => {
    const { path, publish } = await anOwner();
    const first = await visit(path);
    const tag = String(first.headers.etag);
    const again = await visit(path, { "if-none-match": tag });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", tag]);
    await publish({ displayName: "Ana Lima" });
    const changed = await visit(path, { "if-none-match": tag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain("Ana Lima");
  });

  test("comes compressed as the browser likes it, with the same content", async () => {
    const { path } = await anOwner();
    const plain = await visit(path);
    const brotli = await visit(path, { "accept-encoding": "gzip, deflate, br" });
    const zipped = await visit(path, { "accept-encoding": "br;q=0, gzip" });
    expect([plain, brotli, zipped].map(({ headers }) => headers["content-encoding"])).toEqual([
      undefined,
      "br",
      "gzip",
    ]);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.text);
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
  });

  test("has only what was published", async () => {
    const secret = await anOwner({
      links: [
        { title: "Hidden draft", url: "https://example.com/hidden", enabled: false },
        { title: "Tomorrow", url: "https://example.com/later", startsAt: "2999-01-01T00:00:00Z" },
      ],
    });
    const { text } = await visit(secret.path);
    expect(text).not.toMatch(/Hidden draft|Tomorrow|example\.com\/(hidden|later)/);
    const nothing = await anOwner(null);
    const empty = await visit(nothing.path);
    expect(empty.status, "claiming a handle publishes nothing").toBe(404);
    expect((await visit(`/@${nothing.handle}/card-${"0".repeat(16)}.jpg`)).status).toBe(404);
    await nothing.publish({ displayName: "Now" });
    expect((await visit(nothing.path)).text).toContain(`@${nothing.handle}`);
  });

  test("changes when a link starts or ends, and caches expire by then", async () => {
    const at = (milliseconds: number) => new Date(service.clock.now().getTime() + milliseconds).toISOString();
    const { path } = await anOwner({
      links: [
        { title: "Sale", url: "https://example.com/sale", startsAt: at(30 * second) },
        { title: "Early bird", url: "https://example.com/early", endsAt: at(45 * second) },
        { title: "Off", url: "https://example.com/off", enabled: false, startsAt: at(5 * second) },
      ],
    });
    const shared = ({ headers }: TextAnswer) => Number(/s-maxage=(\d+)$/.exec(String(headers["cache-control"]))?.[1]);
    const before = await visit(path);
    expect(before.text).toContain("Early bird");
    expect(before.text).not.toContain("Sale");
    expect(shared(before)).toBeGreaterThan(5);
    expect(shared(before)).toBeLessThanOrEqual(30);
    service.clock.advance(30 * second);
    const during = await visit(path);
    expect(during.text).toContain("Sale");
    expect(shared(during)).toBeLessThanOrEqual(15);
    service.clock.advance(15 * second);
    const after = await visit(path);
    expect(after.text).not.toContain("Early bird");
    expect(shared(after)).toBe(60);
  });

  test("is the same whatever host, query, cookie or visitor asks for it", async () => {
    const { path, person } = await anOwner();
    const { text, headers } = await visit(path);
    const evil = "evil.example";
    for (const [address, sentHeaders] of [
      [`${path}?utm_source="><script>alert(1)</script>`, {}],
      [path, { host: evil }],
      [path, { "x-forwarded-host": evil, "x-forwarded-proto": "https", forwarded: `host=${evil}` }],
      [path, { "x-original-url": "/app", "x-rewrite-url": "/app" }],
      [path, { cookie: person.cookie, "user-agent": "Somebody/1.0", "accept-language": "ar", accept: "*/*" }],
    ] as const) {
      const same = await visit(address, sentHeaders);
      expect([same.status, same.text, same.headers.etag], JSON.stringify([address, sentHeaders])).toEqual([
        200,
        text,
        headers.etag,
      ]);
    }
    for (const address of [`/@${evil.replace(".", "_")}?"><script>`, "/nothing-here?<script>"]) {
      const missing = await visit(address, { host: evil, "x-forwarded-host": evil });
      expect(missing.status).toBe(404);
      expect(missing.text).not.toMatch(/evil\.example|<script>/);
    }
  });
});

describe("a handle", () => {
  test("that was changed redirects once to the current one for 90 days", async () => {
    const { handle, path, claim, person } = await anOwner();
    await claim(`${handle}.b`);
    await claim(`${handle}.c`);
    for (const former of [path, `${path}.b`]) {
      const moved = await visit(`${former}?next=https://evil.example/`);
      expect([moved.status, moved.headers.location, moved.headers["cache-control"]]).toEqual([
        301,
        `${path}.c`,
        "public, max-age=0, s-maxage=60",
      ]);
    }
    expect((await visit(`${path}.c`)).status).toBe(200);
    await claim(handle);
    expect((await visit(path)).status, "taken back").toBe(200);
    expect((await visit(`${path}.c`)).headers.location).toBe(path);
    expect((await person.api("getBioAnalytics", { days: 7 })).status).toBe(200);
    service.clock.advance(bioHandleLimits.keptDays * day);
    expect(bioHandleLimits.keptDays).toBe(90);
    expect((await visit(`${path}.c`)).status).toBe(404);
    expect((await visit(path)).status).toBe(200);
  });

  test("is found in every writing, at one address", async () => {
    const { handle, path } = await anOwner();
    for (const written of [
      `/@${handle.toUpperCase()}`,
      `${path}/`,
      `/%40${handle}`,
      `/@${handle.replace("o", "%6F")}`,
    ]) {
      const { status, headers } = await visit(written);
      expect([status, headers.location], written).toEqual([301, path]);
    }
  });

  test("that nobody has invites people to claim it, and programs get errors", async () => {
    const { status, headers, text } = await visit("/@nobody.yet");
    expect([status, headers["content-type"], headers.vary]).toEqual([
      404,
      "text/html; charset=utf-8",
      "accept, accept-encoding",
    ]);
    expect(text).toContain('href="/app/bio?tab=address&amp;handle=nobody.yet"');
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    const asJson = await visit("/@nobody.yet", { accept: "application/json" });
    expect([asJson.status, JSON.parse(asJson.text).error.code]).toEqual([404, "notFound"]);
  });

  test("that nobody can claim invites nobody", async () => {
    const { path, claim } = await anOwner();
    await claim(null);
    for (const address of [
      path,
      "/@admin",
      "/@supp0rt",
      "/@-",
      "/@",
      `/@${"a".repeat(300)}`,
      "/@%3Cscript%3E",
      "/@a%2Fb",
    ]) {
      const { status, text } = await visit(address);
      expect(status, address).toBe(404);
      expect(text, address).not.toMatch(/Claim @|<script/);
      expect(text, address).toContain("<h1>");
    }
  });
});

describe("a link", () => {
  test("leads to its stored address and nowhere else", async () => {
    const { linkId } = await anOwner();
    const followed = await visit(`/l/${linkId}?url=https://evil.example/&to=//evil.example`, { host: "evil.example" });
    expect([followed.status, followed.headers.location]).toEqual([302, "https://example.com/newsletter?a=1&b=2#c"]);
    expect(followed.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" });
    const { linkId: bare } = await anOwner({ links: [{ title: "Bare", url: "https://example.com/newsletter" }] });
    const { headers: led } = await visit(`/l/${bare}`);
    expect(led.location, "a fragment of ours isn't taken along").toBe("https://example.com/newsletter#");
    for (const path of ["/l/lnk_none", "/l/https:%2F%2Fevil.example", "/l/%0d%0aset-cookie:a=b", "/l//evil.example"]) {
      const { status, headers } = await visit(path);
      expect([status, headers.location, headers["set-cookie"]], path).toEqual([404, undefined, undefined]);
    }
  });

  test("leads nowhere while its page does not show it", async () => {
    const far = "2999-01-01T00:00:00Z";
    const { publish, linkId, claim } = await anOwner();
    const link = { id: linkId, title: "Newsletter", url: "https://example.com/" };
    const follow = async () => {
      const { status, text } = await visit(`/l/${linkId}`);
      if (status === 404) expect(text).toContain("This link is no longer on its page.");
      return status;
    };
    for (const hidden of [{ enabled: false }, { startsAt: far }, { endsAt: "2020-01-01T00:00:00Z" }]) {
      await publish({ links: [{ ...link, ...hidden }] });
      expect(await follow(), JSON.stringify(hidden)).toBe(404);
    }
    await publish({ links: [link] });
    expect(await follow()).toBe(302);
    await publish({ links: [{ ...link, url: "mailto:ana@example.com" }] });
    expect(await follow()).toBe(404);
    await publish({ links: [link] });
    await claim(null);
    expect(await follow()).toBe(404);
  });

  test("adds no header, whatever letters its address has", async () => {
    const { person, publish } = await anOwner();
    for (const url of [
      "https://example.com/\r\nset-cookie: a=b",
      "https://example.com/\nx",
      "https://example.com/\u0000",
    ])
      expect((await person.api("updateBioPage", { links: [{ title: "x", url }] })).status).toBe(400);
    // The low bytes of these letters are a carriage return and a line feed.
    for (const url of [
      "https://example.com/\u010d\u010aset-cookie:\u0120a=b",
      "https://bücher.example/ü?ß#é",
      "https://example.com/%0d%0aset-cookie:%20a=b",
    ]) {
      const { links } = await publish({ links: [{ title: "x", url }] });
      const { status, headers } = await visit(`/l/${links[0].id}`);
      expect([status, headers["set-cookie"]], url).toEqual([302, undefined]);
      expect(headers.location).toMatch(/^https:\/\/[\x21-\x7e]+$/);
    }
  });
});

describe("a browser", () => {
  test("never sees JSON, and programs see nothing else", async () => {
    for (const path of ["/nothing", "/wp-login.php", "/%zz", "/media/thumbnails/x/y.webp", "/@a/b", "/.env"]) {
      const page = await visit(path);
      expect(page.headers["content-type"], path).toBe("text/html; charset=utf-8");
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.text).toContain("<h1>");
      for (const accept of ["*/*", "application/json", "application/json, text/html"]) {
        const asJson = await visit(path, { accept });
        expect([asJson.status, Object.keys(JSON.parse(asJson.text))], path).toEqual([page.status, ["error"]]);
      }
    }
    for (const path of ["/api/v1/nothing", "/app/api/nothing"])
      expect(JSON.parse((await visit(path)).text)).toMatchObject({ error: { code: expect.any(String) } });
  });
});
