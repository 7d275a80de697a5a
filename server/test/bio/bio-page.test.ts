import { operations } from "@reelscript/contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { rest, type Answer } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const link = (title: string) => ({ title, url: `https://example.com/${title.toLowerCase()}` });
const aKey = async (): Promise<string> => (await service.createCaller()).key;
const get = (key: string): Promise<Answer> => rest(service.url, "/bio", { key });
const change =
  (method: string, path: string) =>
  (key: string, body: unknown, ifMatch?: string, query = ""): Promise<Answer> => {
    const headers = { ...(ifMatch !== undefined && { "if-match": ifMatch }) };
    return rest(service.url, `${path}${query}`, { key, method, body, headers });
  };
const patch = change("PATCH", "/bio");
const revert = change("POST", "/bio/revert");

describe("over REST", () => {
  test("a page starts empty, merges the request, and clears with null", async () => {
    const key = await aKey();
    const first = await get(key);
    expect(first).toMatchObject({
      status: 200,
      body: { handle: null, url: null, displayName: null, links: [], revision: 0, updatedAt: null },
    });
    expect(first.headers.get("etag")).toBe('"0"');
    expect(first.headers.get("cache-control")).toBe("no-store");

    const answer = await patch(key, {
      displayName: "Ana",
      bio: "Coffee.",
      links: [link("One"), link("Two")],
      theme: { colors: { text: "#111", button: "#222222" } },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        revision: 1,
        dryRun: false,
        updatedAt: expect.any(String),
        changes: expect.arrayContaining([{ path: "displayName", before: null, after: "Ana" }]),
      },
    });
    expect(answer.headers.get("etag")).toBe('"1"');

    const changed = await patch(key, { bio: null, theme: { colors: { text: null }, font: "serif" } });
    expect(changed.body.changes).toEqual([
      { path: "bio", before: "Coffee.", after: null },
      { path: "theme.colors.text", before: "#111", after: null },
      { path: "theme.font", before: "look", after: "serif" },
    ]);
    const { body } = await get(key);
    expect(body).toMatchObject({
      displayName: "Ana",
      bio: null,
      revision: 2,
      theme: { preset: "light", colors: { text: null, button: "#222222" }, font: "serif" },
    });
    const { dryRun: _, changes: _changes, ...page } = changed.body;
    expect(body, "what was answered is what is read").toEqual(page);
  });

  test("links keep their ids; unknown ids are refused, kept revisions' accepted", async () => {
    const key = await aKey();
    const [one, two] = (await patch(key, { links: [link("One"), link("Two")] })).body.links;
    expect(one.id).toMatch(/^lnk_[0-9A-Za-z]{16}$/);
    const moved = await patch(key, { links: [{ ...two, title: "Two!" }, link("Three"), one] });
    expect(moved.body.links.map(({ id }: { id: string }) => id)).toEqual([two.id, expect.any(String), one.id]);
    expect((await patch(key, { links: [one] })).body.links).toEqual([one]);
    expect((await patch(key, { links: [one, two] })).body.links, "the same link again").toEqual([one, two]);
    expect(await patch(key, { links: [one, { ...two, id: "lnk_0000000000000000" }] })).toMatchObject({
      status: 400,
      body: {
        error: { code: "invalidRequest", message: expect.stringMatching(/^`links\[1\]\.id`: .*Omit the id/) },
      },
    });
    expect((await get(key)).body).toMatchObject({ revision: 4, links: [one, two] });
  });

  test("addresses lose the spaces and format characters that copying added", async () => {
    const key = await aKey();
    const written = {
      links: [{ title: "One", url: "\u200Ehttps://example.com/one%E2%80%8B\u2060 " }],
      socials: [{ platform: "website", url: "https://example.com/\uFEFF" }],
    };
    expect((await patch(key, written)).body).toMatchObject({
      links: [{ url: "https://example.com/one" }],
      socials: [{ url: "https://example.com/" }],
    });
  });

  test("a patch that changes nothing makes no revision", async () => {
    const key = await aKey();
    expect((await patch(key, {})).body).toMatchObject({ revision: 0, updatedAt: null, changes: [] });
    await patch(key, { displayName: "Ana" });
    const before = await get(key);
    expect((await patch(key, { displayName: "Ana" }, '"1"')).body).toMatchObject({ revision: 1, changes: [] });
    expect((await get(key)).body).toEqual(before.body);
  });

  test("a dry run shows what would change and writes nothing", async () => {
    const key = await aKey();
    await patch(key, { displayName: "Ana", links: [link("One")] });
    const before = await get(key);
    const [one] = before.body.links;
    const dryRun = await patch(key, { displayName: null, links: [one, link("Two")] }, '"1"', "?dryRun=true");
    expect(dryRun).toMatchObject({
      status: 200,
      body: {
        dryRun: true,
        revision: 1,
        displayName: null,
        changes: [
          { path: "displayName", before: "Ana", after: null },
          { path: "links[1]", before: null, after: { title: "Two" } },
        ],
      },
    });
    expect(dryRun.headers.get("etag")).toBe('"1"');
    expect((await get(key)).body).toEqual(before.body);
    expect((await revert(key, { revision: 0 }, undefined, "?dryRun=true")).body).toMatchObject({
      revision: 1,
      displayName: null,
      links: [],
    });
    expect((await get(key)).body).toEqual(before.body);
    expect((await patch(key, { links: [{ title: "x" }] }, undefined, "?dryRun=true")).status).toBe(400);
    expect((await patch(key, {}, '"0"', "?dryRun=true")).status).toBe(412);
    expect((await patch(key, {}, undefined, "?dryRun=perhaps")).body.error.message).toContain("`dryRun`");
  });

  test("a stale revision is 412; * and weak tags are accepted", async () => {
    const key = await aKey();
    await patch(key, { displayName: "One" }, '"0"');
    const stale = await patch(key, { displayName: "Two" }, '"0"');
    expect(stale).toMatchObject({
      status: 412,
      body: { error: { code: "invalidRequest", message: expect.stringContaining("at revision 1, not 0") } },
    });
    expect(await revert(key, { revision: 0 }, '"7"')).toMatchObject({ status: 412 });
    expect((await get(key)).body).toMatchObject({ displayName: "One", revision: 1 });
    expect((await patch(key, { displayName: "Two" }, "*")).status).toBe(200);
    expect((await patch(key, { displayName: "Three" }, 'W/"2"')).status).toBe(200);
    for (const wrong of ["3", '"three"', '"3", "4"', '"-1"', '"3.5"', ""])
      expect(await patch(key, { displayName: "No" }, wrong), wrong).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/If-Match|ifRevision/) } },
      });
    expect((await get(key)).body).toMatchObject({ displayName: "Three", revision: 3 });
  });

  test("of concurrent patches with the same If-Match exactly one wins", async () => {
    const key = await aKey();
    // No more than two calls of one key work at a time.
    const names = ["One", "Two"];
    const stored = { ...service.store.bioPages };
    const changing = vi.spyOn(service.store.bioPages, "change");
    // The embedded database would be done with each before the next one is read.
    changing.mockImplementation(async (...parameters) => {
      await expect.poll(() => changing.mock.calls.length).toBe(names.length);
      return stored.change(...parameters);
    });
    onTestFinished(() => changing.mockRestore());
    const all = await Promise.all(names.map((displayName) => patch(key, { displayName }, '"0"')));
    const statuses = all.map(({ status }) => String(status));
    expect(statuses.toSorted()).toEqual(["200", "412"]);
    const { displayName } = all[statuses.indexOf("200")]!.body;
    expect((await get(key)).body).toMatchObject({ revision: 1, displayName });
  });

  test("conditions do not belong into the body", async () => {
    const key = await aKey();
    for (const [field, value] of [
      ["dryRun", true],
      ["ifRevision", 0],
    ] as const)
      expect(await patch(key, { displayName: "Ana", [field]: value })).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(`\`${field}\` belongs in`) } },
      });
    expect((await get(key)).body.revision).toBe(0);
  });

  test("an earlier revision returns as a new one with link ids", async () => {
    const key = await aKey();
    const { links } = (await patch(key, { displayName: "Ana", links: [link("One")] })).body;
    await patch(key, { displayName: "Bea", links: null });
    const back = await revert(key, { revision: 1 }, '"2"');
    expect(back).toMatchObject({ status: 200, body: { revision: 3, displayName: "Ana", links } });
    expect(back.headers.get("etag")).toBe('"3"');
    expect((await revert(key, { revision: 3 })).body, "the present one").toMatchObject({ revision: 3, changes: [] });
    expect((await revert(key, { revision: 0 })).body).toMatchObject({ revision: 4, displayName: null, links: [] });
    expect(await revert(key, { revision: 9 })).toMatchObject({
      status: 404,
      body: { error: { code: "notFound", message: expect.stringContaining("at revision 4") } },
    });
    expect((await revert(key, { revision: -1 })).status).toBe(400);
    const fresh = await aKey();
    expect((await revert(fresh, { revision: 0 })).body).toMatchObject({ revision: 0, changes: [] });
    expect((await revert(fresh, { revision: 1 })).status).toBe(404);
  });

  test("wrong input names its path", async () => {
    const key = await aKey();
    const links = [link("A"), link("B"), link("C"), { title: "D", url: "javascript:alert(1)" }];
    const refused = await patch(key, { links, theme: { colors: { text: "red" } } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain("`links[3].url`: must be an http, https, mailto, tel or sms URL");
    expect(refused.body.error.message).toContain("`theme.colors.text`: must be a hex color");
    expect((await get(key)).body.revision).toBe(0);
  });

  test("accounts see and change only their own page, with either key", async () => {
    const ana = await service.createCaller();
    const bea = await service.createCaller();
    const { links } = (await patch(ana.key, { displayName: "Ana", links: [link("One")] })).body;
    await patch(bea.key, { displayName: "Bea" });
    expect((await patch(bea.key, { links })).body.error.message).toContain("`links[0].id`");
    expect((await revert(bea.key, { revision: 1 })).body.displayName).toBe("Bea");
    expect((await get(bea.key)).body).toMatchObject({ displayName: "Bea", links: [], revision: 1 });
    const second = await ana.createKey();
    expect((await get(second.key)).body).toEqual((await get(ana.key)).body);
    expect((await get(ana.key)).body).toMatchObject({ displayName: "Ana", links, revision: 1 });
  });

  test("exactly 20 writes an hour, dry runs and refused ones included", async () => {
    const key = await aKey();
    const writes = [
      () => patch(key, { displayName: "Ana" }),
      () => patch(key, { displayName: "Bea" }, undefined, "?dryRun=true"),
      () => revert(key, { revision: 0 }),
      () => patch(key, { nonsense: 1 }),
    ];
    for (let count = 1; count <= 20; count += 1) {
      const answer = await writes[count % writes.length]!();
      expect(answer.status, `write ${count}`).not.toBe(429);
      expect(answer.headers.get("ratelimit-remaining")).toBe(String(20 - count));
    }
    for (const write of writes) {
      const refused = await write();
      expect(refused).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    }
    expect((await get(key)).status).toBe(200);
    expect((await rest(service.url, "/bio/analytics", { key })).status).toBe(200);
  });

  test("the examples of the contract are true", async () => {
    const key = await aKey();
    const { example } = operations.updateBioPage;
    const changed = await patch(key, example);
    expect(changed).toMatchObject({ status: 200, body: { revision: 1, displayName: example.displayName } });
    expect(changed.body.links.map(({ title }: { title: string }) => title)).toEqual(
      example.links?.map(({ title }) => title),
    );
    expect(await revert(key, operations.revertBioPage.example)).toMatchObject({
      status: 200,
      body: { revision: 2, displayName: null },
    });
    const { days } = operations.getBioAnalytics.example;
    expect((await rest(service.url, `/bio/analytics?days=${days}`, { key })).body.series).toHaveLength(days ?? 0);
  });
});
