import { bioLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { chromiumProgram, cookiesOf, openContext, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";

const service = serviceOfTests({ transcriber: null });

async function anOwner() {
  const person = await signInNew(service);
  const links = [{ title: "Newsletter", url: "https://example.com/newsletter" }];
  const stored = await person.api("updateBioPage", { displayName: "Ana", links });
  expect(stored.status).toBe(200);
  const askAt = async (query: string, init: RequestInit = {}, headers: Record<string, string> = {}) => {
    const all = { cookie: person.cookie, origin: service.url, ...headers };
    const response = await fetch(`${service.url}/app/bio/preview${query}`, { ...init, headers: all });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const ask = (init?: RequestInit, headers?: Record<string, string>) => askAt("", init, headers);
  return {
    person,
    linkId: stored.body.links[0].id as string,
    read: ask,
    ask: askAt,
    draft: (patch: unknown) => ask({ method: "POST", body: new URLSearchParams({ patch: JSON.stringify(patch) }) }),
    asForm: (fields: Record<string, string> | string) => ask({ method: "POST", body: new URLSearchParams(fields) }),
  };
}

describe("the preview of a bio page", () => {
  test("shows what is stored, and drafts of it, and writes nothing", async () => {
    const ana = await anOwner();
    const stored = await ana.read();
    expect(stored.status).toBe(200);
    expect(stored.text).toContain('<span dir="auto">Ana</span>');
    expect(stored.text).toContain('<span dir="auto">Newsletter</span>');
    expect(Object.fromEntries(stored.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringContaining("frame-ancestors 'self'"),
      "x-frame-options": "SAMEORIGIN",
      "cache-control": "no-store",
    });

    const before = (await ana.person.api("getMyBioPage")).body;
    const patch = {
      displayName: "Bea",
      links: [
        { id: ana.linkId, title: "Letters", url: "https://example.com/" },
        { title: "New", url: "https://example.com/new" },
      ],
      theme: { preset: "rose" },
    };
    const drafted = await ana.draft(patch);
    expect(drafted.status).toBe(200);
    for (const part of [">Bea<", ">Letters<", ">New<", "--paper:#fae6ee"]) expect(drafted.text).toContain(part);
    expect((await ana.person.api("getMyBioPage")).body).toEqual(before);
  });

  test("opens in a tab with a notice and working links", async () => {
    const ana = await anOwner();
    const opened = await ana.ask("?in=tab", {
      method: "POST",
      body: new URLSearchParams({ patch: `{"displayName":"Bea"}` }),
    });
    expect(opened.status).toBe(200);
    expect(opened.text).toContain("<b>Not public yet.</b> Only you can see this draft.");
    expect(opened.text).toContain('href="https://example.com/newsletter"');
    expect(opened.text).toContain(">Bea<");
    expect(Object.fromEntries(opened.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
    });
    expect((await ana.read()).text).not.toContain("Not public yet");
  });

  test("refuses what a change would refuse, in words, by a page", async () => {
    const ana = await anOwner();
    for (const [patch, words] of [
      [{ links: [{ title: "Run", url: "javascript:alert(1)" }] }, "links[0].url"],
      [{ displayname: "Ana" }, "displayname"],
      [{ ifRevision: 1 }, "ifRevision"],
      [{ links: [{ id: "lnk_none", title: "x", url: "https://example.com/" }] }, "no link with this id"],
      [{ theme: { preset: "neon" } }, "theme.preset"],
    ] as const) {
      const preview = await ana.draft(patch);
      expect([preview.status, preview.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
      expect(preview.text).toContain(words);
      expect(preview.text).not.toContain("javascript:alert");
    }
    for (const fields of [{}, { patch: "{" }, { patch: "[]" }, "patch=%7B%7D&patch=%7B%7D"] as (
      | string
      | Record<string, string>
    )[])
      expect((await ana.asForm(fields)).status, JSON.stringify(fields)).toBe(400);
  });

  test("accepts drafts of 64 kB in any form encoding, none larger", async () => {
    const ana = await anOwner();
    const link = { title: "அ".repeat(bioLimits.linkTitle), url: `https://example.com/${"a".repeat(300)}` };
    const fits = JSON.stringify({ links: Array.from({ length: 70 }, () => link) });
    expect(new URLSearchParams({ patch: fits }).toString().length).toBeGreaterThan(bioLimits.contentBytes);
    expect((await ana.asForm({ patch: fits })).status).toBe(200);
    expect((await ana.draft({ bio: "a".repeat(70_000) })).status).toBe(413);
    expect((await ana.asForm({ patch: "a".repeat(300_000) })).status).toBe(413);
  });

  test("needs a session, and no other site can request it", async () => {
    const ana = await anOwner();
    expect((await fetch(`${service.url}/app/bio/preview`)).status).toBe(401);
    const foreign = await ana.read({ method: "POST", body: "patch={}" }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const framed = await ana.read({}, { origin: "", "sec-fetch-site": "cross-site" });
    expect(framed.status).toBe(403);
    const bea = await anOwner();
    expect((await bea.draft({ links: [{ id: ana.linkId, title: "x", url: "https://example.com/" }] })).status).toBe(
      400,
    );
  });

  test.skipIf(chromiumProgram === undefined)(
    `a form fills the frame with a draft; hostile parts do nothing${unlessSkipped}`,
    async () => {
      const ana = await anOwner();
      const context = await openContext();
      try {
        await context.addCookies(cookiesOf(ana.person, service.url));
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on("console", (message) => complaints.push(message.text()));
        await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
        await page.goto(`${service.url}/healthz`);
        const evil = `</style><script>top.document.title="run"</script>`;
        const patch = { displayName: "Bea", bio: evil, seo: { title: evil } };
        await page.evaluate((draft) => {
          document.body.innerHTML =
            '<iframe name="preview"></iframe><form method="post" action="/app/bio/preview" target="preview"><input name="patch"></form>';
          document.querySelector("input")!.value = draft;
          document.querySelector("form")!.submit();
        }, JSON.stringify(patch));
        const frame = page.frameLocator("iframe");
        await frame.getByRole("heading", { name: "Bea" }).waitFor();
        expect(await frame.locator(".about").textContent()).toBe(evil);
        expect(await page.title()).not.toBe("run");
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );
});
