import { bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { ask } from "../harness/ask.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { operatorOfTests } from "../harness/open-operator.ts";
import { rest } from "../harness/rest.ts";
import { signIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const operator = operatorOfTests(service);

async function aPerson() {
  const person = await signInNew(service);
  return { person, claim: (handle: unknown) => person.api("claimBioHandle", { handle }) };
}

describe("the handle of a bio page", () => {
  test("is the page's address immediately, can be changed, and removed with null", async () => {
    const ana = await aPerson();
    expect(await ana.claim("Ana.Coffee")).toMatchObject({
      status: 200,
      body: { handle: "ana.coffee", url: `${service.url}/@ana.coffee`, revision: 0 },
    });
    expect((await ana.person.api("getMyBioPage")).body).toMatchObject({ handle: "ana.coffee" });
    expect((await ana.claim("ana_tea2")).body).toMatchObject({ handle: "ana_tea2" });
    expect((await ana.claim(null)).body).toMatchObject({ handle: null, url: null });
  });

  test("is taken in any spelling during use, and 90 days after", async () => {
    const ana = await aPerson();
    const bea = await aPerson();
    await ana.claim("one.of.us");
    const taken = async (handle: string) => {
      const { status, headers, body } = await bea.claim(handle);
      expect(body.error.message).toBe("`handle`: one.of.us is taken. Choose another one.");
      expect([status, body.error.code, headers.get("x-error-reason")]).toEqual([400, "invalidRequest", "handleTaken"]);
    };
    await taken("ONE.of.us");
    await ana.claim(null);
    await taken("one.of.us");
    expect((await ana.claim("one.of.us")).status).toBe(200);
  });

  test("is reported as free, one's own, taken or reserved before claiming", async () => {
    const ana = await aPerson();
    const bea = await aPerson();
    const states = async (handle: string) =>
      Promise.all([ana, bea].map(async ({ person }) => (await person.api("checkBioHandle", { handle })).body.state));
    expect(await states("checked.one")).toEqual(["free", "free"]);
    await ana.claim("Checked.One");
    expect(await states("CHECKED.one")).toEqual(["yours", "taken"]);
    await ana.claim("checked.two");
    expect(await states("checked.one"), "a former one is kept").toEqual(["yours", "taken"]);
    await ana.claim(null);
    expect(await states("checked.two")).toEqual(["yours", "taken"]);
    expect(await states("reelscript.help")).toEqual(["reserved", "reserved"]);
    expect((await ana.person.api("checkBioHandle", { handle: "a..b" })).status).toBe(400);
  });

  test("is not one that could pass for the service itself", async () => {
    const { claim } = await aPerson();
    const reserved = ["admin", "API", "reelscript", "reel.script", "l_o_g_i_n", "support", "docs"];
    for (const handle of [...reserved, "adm1n", "supp0rt", "reeiscript", "ree1.5cript", "reelscript.help"]) {
      const { status, headers, body } = await claim(handle);
      expect([status, headers.get("x-error-reason")], handle).toEqual([400, "handleReserved"]);
      expect(body.error.message).toContain("is reserved");
    }
  });

  test("of another shape is refused with what is accepted", async () => {
    const { claim } = await aPerson();
    const wrong = [
      "anа.cyrillic",
      "ana\u202Exe",
      "a\u200Bna",
      "ｆｕｌｌ",
      "",
      "ab",
      "a".repeat(31),
      ".ana",
      "ana_",
      "a..b",
      "a._b",
      "ana coffee",
      "anä",
      "@ana",
      "ana/b",
      7,
    ];
    for (const handle of wrong)
      expect(await claim(handle), String(handle)).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`handle`") } },
      });
    expect((await claim("-")).body.error.message).toContain("3 to 30 characters of a to z, 0 to 9, dot and underscore");
    for (const handle of ["a1b", "x".repeat(30), "a.b_c"]) expect((await claim(handle)).status, handle).toBe(200);
  });

  test("that changes too often is told so", async () => {
    const { claim } = await aPerson();
    for (let count = 0; count <= bioHandleLimits.kept; count += 1)
      expect((await claim(`often.${count}`)).status).toBe(200);
    const refused = await claim("often.more");
    expect(refused.headers.get("x-error-reason")).toBe("handleChangedTooOften");
    expect(refused.body.error.message).toContain("within 90 days");
    expect((await claim("often.0")).status).toBe(200);
  });

  test("is no matter of keys", async () => {
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/bio/handle", { key, body: { handle: "by.key" } })).status).toBe(404);
  });
});

const why = (reason: string): string[] => ["--reason", reason, "--by", "ada"];

test("takes pages down and restores them by any name, with audit rows", async () => {
  const person = await signIn(service, { email: "phishing@example.com" });
  const claim = (handle: string) => person.api("claimBioHandle", { handle });
  await claim("bank.login");
  const update = await person.api("updateBioPage", {
    displayName: "Bank",
    links: [{ title: "Log in", url: "https://example.com/" }],
  });
  expect(update.body).toMatchObject({ takenDownAt: null });
  const status = (path: string) => ask(service.url, path).then((answer) => answer.status);
  const link = `/l/${update.body.links[0].id}`;
  const [card = ""] = /\/@bank\.login\/card-[\w-]+\.jpg/.exec((await ask(service.url, "/@bank.login")).text) ?? [];
  expect([await status(card), await status(link)]).toEqual([200, 302]);

  const done = await operator.operate("page", "take-down", `${service.url}/@Bank.Login?x=1`, ...why("phishing"));
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("Page @bank.login (bio_");
  const page = await ask(service.url, "/@bank.login");
  expect([page.status, page.headers["x-robots-tag"]]).toEqual([410, "noindex"]);
  expect(page.text).toContain("<h1>This page was taken down</h1>");
  expect(page.text).not.toContain("Log in");
  const answer = await ask(service.url, "/@bank.login", { accept: "application/json" });
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([410, "notFound"]);
  expect([await status(card), await status(link)]).toEqual([410, 410]);
  expect((await operator.operate("page", "take-down", "@bank.login", ...why("again"))).stderr).toContain(
    "already taken down",
  );

  expect((await person.api("getMyBioPage")).body.takenDownAt).toMatch(/^\d{4}-\S+Z$/);
  expect((await person.api("updateBioPage", { displayName: "Ana" })).status).toBe(200);
  await claim("fresh.start");
  expect([await status("/@fresh.start"), await status("/@bank.login"), await status(link)]).toEqual([410, 410, 410]);

  expect(await operator.operate("page", "restore", "@bank.login", ...why("settled"))).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect([await status("/@fresh.start"), await status("/@bank.login"), await status(link)]).toEqual([200, 301, 302]);
  expect((await person.api("getMyBioPage")).body.takenDownAt).toBeNull();
  expect((await operator.operate("page", "restore", "fresh.start", ...why("again"))).stderr).toContain(
    "not taken down",
  );
  expect((await operator.operate("page", "restore", "@nobody.here", ...why("typo"))).stderr).toContain(
    "no bio page is called",
  );
  expect((await operator.operate("page", "restore", "https://example.com/", ...why("typo"))).code).not.toBe(0);
  const { entries } = JSON.parse((await operator.operate("audit", "list", "--limit", "2", "--json")).stdout);
  expect(entries).toMatchObject([
    {
      action: "restorePage",
      by: "ada",
      reason: "settled",
      subject: expect.stringMatching(/^bio_\S+ @fresh\.start$/),
    },
    {
      action: "takeDownPage",
      by: "ada",
      reason: "phishing",
      subject: expect.stringMatching(/^bio_\S+ @bank\.login$/),
    },
  ]);
});

test("a page stays down across deleting the account, until restored", async () => {
  const email = "returning@example.com";
  const publish = async (handle: string): Promise<number> => {
    const person = await signIn(service, { email });
    expect((await person.api("claimBioHandle", { handle })).status).toBe(200);
    expect((await person.api("updateBioPage", { displayName: "Bank" })).status).toBe(200);
    return (await ask(service.url, `/@${handle}`)).status;
  };
  const leave = async (): Promise<void> => {
    const person = await signIn(service, { email });
    expect((await person.api("deleteAccount", { confirm: email })).status).toBe(200);
  };
  expect(await publish("first.bank")).toBe(200);
  await operator.operate("page", "take-down", "@first.bank", ...why("phishing"));
  await leave();
  expect(await publish("second.bank")).toBe(410);
  await leave();
  expect(await publish("third.bank")).toBe(410);
  expect(await operator.operate("page", "restore", "@third.bank", ...why("settled"))).toMatchObject({ code: 0 });
  expect((await ask(service.url, "/@third.bank")).status).toBe(200);
  await leave();
  expect(await publish("fourth.bank")).toBe(200);
});

describe("the first handle is claimed with a change of the page", () => {
  const patch = (key: string, body: object, query = "") =>
    rest(service.url, `/bio${query}`, { key, method: "PATCH", body });

  test("by REST and by the tool, after a dry run", async () => {
    const { key } = await service.createCaller();
    const dry = await patch(key, { handle: "First.One", bio: "Tea." }, "?dryRun=true");
    expect(dry.body).toMatchObject({
      handle: "first.one",
      url: `${service.url}/@first.one`,
      dryRun: true,
      changes: [{ path: "handle", before: null, after: "first.one" }, { path: "bio" }],
    });
    expect((await rest(service.url, "/bio", { key })).body).toMatchObject({ handle: null, url: null });
    expect((await fetch(`${service.url}/@first.one`)).status).toBe(404);
    const { call, close } = await connectAgent(service.url, key);
    const { data } = await call("update_bio_page", { handle: "first.one", bio: "Tea." }).finally(close);
    expect(data).toMatchObject({ handle: "first.one", url: `${service.url}/@first.one`, revision: 1 });
    expect(await (await fetch(`${service.url}/@first.one`)).text()).toContain("Tea.");
    expect((await patch(key, { handle: "first.one" })).body).toMatchObject({ handle: "first.one", changes: [] });
  });

  test("never another one, and nothing else changes", async () => {
    const { key } = await service.createCaller();
    await patch(key, { handle: "kept.one" });
    const { status, body } = await patch(key, { handle: "kept.two", bio: "Coffee." });
    expect([status, body.error.message]).toEqual([
      400,
      "`handle`: the page has an address already. A person changes it, in the dashboard.",
    ]);
    expect((await rest(service.url, "/bio", { key })).body).toMatchObject({
      handle: "kept.one",
      bio: null,
      revision: 0,
    });
  });

  test("not one that is taken or reserved, and none if the change is refused", async () => {
    const ana = await service.createCaller();
    const bea = await service.createCaller();
    await patch(ana.key, { handle: "ana.first" });
    for (const query of ["", "?dryRun=true"]) {
      const taken = await patch(bea.key, { handle: "ana.first", bio: "Tea." }, query);
      expect([taken.status, taken.headers.get("x-error-reason")]).toEqual([400, "handleTaken"]);
      const reserved = await patch(bea.key, { handle: "support" }, query);
      expect([reserved.status, reserved.headers.get("x-error-reason")]).toEqual([400, "handleReserved"]);
    }
    const stale = await rest(service.url, "/bio", {
      key: bea.key,
      method: "PATCH",
      headers: { "if-match": '"7"' },
      body: { handle: "bea.first" },
    });
    expect(stale.headers.get("x-error-reason")).toBe("staleRevision");
    expect((await rest(service.url, "/bio", { key: bea.key })).body).toMatchObject({ handle: null, bio: null });
  });

  test("one of two that come at once", async () => {
    const { key } = await service.createCaller();
    const handles = Array.from({ length: 6 }, (_, index) => `race.${index}`);
    const statuses = await Promise.all(handles.map(async (handle) => (await patch(key, { handle })).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const { handle } = (await rest(service.url, "/bio", { key })).body;
    expect(handle).toBe(handles[statuses.indexOf(200)]);
  });
});
