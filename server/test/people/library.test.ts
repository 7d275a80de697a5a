import { largestCollection } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { rest, transcribe } from "../harness/rest.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels, sixteenReelsFindings } from "../reports/golden.ts";
import { anAllowance, aReel, ask, mustClaim, transcriptOf } from "../database/conformance/fixtures.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { hour } from "../harness/test-clock.ts";

const service = serviceOfTests({ transcriber: createGatedTranscriber() });

const reelOf = (handle: string): string => service.newReel({ handle });
const transcribed = async (person: SignedIn, handle: string): Promise<string> => {
  const url = reelOf(handle);
  expect((await person.api("transcribeReel", { url })).status).toBe(200);
  return url;
};

const imported = async (person: SignedIn, collection: Readonly<Record<string, unknown>>): Promise<void> => {
  const { status, body } = await person.api("importReport", collection);
  expect(status, JSON.stringify(body)).toBe(200);
};

describe("a library", () => {
  test("tells its accounts, and loses and regains a script for free", async () => {
    const person = await signInNew(service);
    expect((await person.api("listScriptAccounts")).body).toEqual({ accounts: [], total: 0 });
    const url = await transcribed(person, "cook.daily");
    await transcribed(person, "bake.weekly");
    await transcribed(person, "bake.weekly");
    expect((await person.api("listScriptAccounts")).body).toEqual({
      accounts: [
        { handle: "bake.weekly", scripts: 2 },
        { handle: "cook.daily", scripts: 1 },
      ],
      total: 3,
    });
    const [script] = (await person.api("searchMyScripts", { account: "cook.daily" })).body.scripts;
    expect(script.account).toBe("cook.daily");

    expect(await person.api("deleteScript", { id: script.id })).toMatchObject({ status: 200, body: { id: script.id } });
    expect((await person.api("getScript", { id: script.id })).status).toBe(404);
    expect((await person.api("deleteScript", { id: script.id })).status).toBe(404);
    expect((await person.api("listScriptAccounts")).body).toEqual({
      accounts: [{ handle: "bake.weekly", scripts: 2 }],
      total: 2,
    });
    const again = await person.api("transcribeReel", { url });
    expect(again).toMatchObject({ status: 200, body: { cached: true } });
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(3);
    expect((await person.api("listScriptAccounts")).body.total).toBe(3);
  });

  test("loses several scripts together", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    for (const handle of ["one", "two", "three"]) await transcribed(owner, handle);
    const scripts: { id: string }[] = (await owner.api("searchMyScripts")).body.scripts;
    const ids = scripts.map(({ id }) => id);
    expect((await stranger.api("deleteScripts", { ids })).body).toEqual({ ids: [] });
    const deleted = (await owner.api("deleteScripts", { ids: [ids[0], "scr_nothing", ids[2]] })).body.ids;
    expect(new Set(deleted)).toEqual(new Set([ids[0], ids[2]]));
    expect((await owner.api("searchMyScripts")).body.scripts).toMatchObject([{ id: ids[1] }]);
    expect((await owner.api("deleteScripts", { ids: [] })).status).toBe(400);
    expect((await owner.api("deleteScripts", { ids: Array.from({ length: 501 }, String) })).status).toBe(400);
  });

  test("is nobody else's, also where two have the same reel", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const url = await transcribed(owner, "cook.daily");
    const [script] = (await owner.api("searchMyScripts")).body.scripts;
    for (const id of [script.id, "scr_nothing", "%00", "\u0000", `${script.id} `, "ключ"])
      expect(await stranger.api("deleteScript", { id }), id).toMatchObject({
        status: 404,
        body: { error: { code: "notFound" } },
      });
    await stranger.api("transcribeReel", { url });
    const [theirs] = (await stranger.api("searchMyScripts")).body.scripts;
    expect((await stranger.api("deleteScript", { id: theirs.id })).status).toBe(200);
    expect((await owner.api("getScript", { id: script.id })).status).toBe(200);
    expect((await stranger.api("listScriptAccounts")).body.total).toBe(0);
    expect((await stranger.api("deleteScript", { id: "x".repeat(129) })).status).toBe(400);
  });

  test("is erased by people alone: a key deletes what can be restored", async () => {
    const person = await signInNew(service);
    const { secret: key } = (await person.api("createKey", { name: "Notebook" })).body;
    await transcribe(service.url, key, reelOf("cook.daily"));
    const [{ id }] = (await rest(service.url, "/scripts", { key })).body.scripts;
    expect((await rest(service.url, `/scripts/${id}`, { key, method: "DELETE" })).body).toEqual({ id });
    expect((await rest(service.url, "/scripts?deleted=true", { key })).body).toMatchObject({
      total: 1,
      scripts: [{ id }],
    });
    expect((await rest(service.url, "/script-erasures", { key, body: { ids: [id] } })).status).toBe(404);
    expect((await rest(service.url, "/script-restorations", { key, body: { ids: [id] } })).body).toEqual({ ids: [id] });
    expect((await person.api("eraseScripts", { ids: [id] })).body, "it isn't deleted").toEqual({ ids: [] });
    await person.api("deleteScript", { id });
    expect((await person.api("eraseScripts", { ids: [id] })).body).toEqual({ ids: [id] });
    expect(await person.api("restoreScripts", { ids: [id] })).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining("restored") } },
    });
  });
});

describe("a report that is imported", () => {
  test("is returned, listed, counted and deleted for its owner alone", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const answer = await owner.api("importReport", sixteenReels);
    expect(answer.status).toBe(200);
    const { id, topReels, comparisons, intervals, insights, ...findings } = answer.body;
    expect(findings).toMatchObject({
      handle: "cook.daily",
      createdAt: "2026-09-30T00:00:00.000Z",
      reelsAnalyzed: 16,
      timezone: "Asia/Kolkata",
      ...sixteenReelsFindings,
    });
    expect(topReels).toHaveLength(10);
    expect(comparisons.map(({ kind }: { kind: string }) => kind)).toContain("engagement");
    expect(insights).toContainEqual(
      expect.stringMatching(/^The newest 8 typically got 2\.3 times the engagement of the oldest 8\. /),
    );
    expect(intervals.medianViews).toEqual({ low: 1_000, high: 1_000 });
    expect((await owner.api("getCompetitorReport", { id })).body).toEqual(answer.body);
    expect((await owner.api("getUsage")).body.posts.used).toBe(16);
    expect((await stranger.api("getCompetitorReport", { id })).status).toBe(404);
    expect((await stranger.api("listCompetitorReports")).body.reports).toEqual([]);

    expect((await stranger.api("deleteReport", { id })).status).toBe(404);
    expect(await owner.api("deleteReport", { id })).toMatchObject({ status: 200, body: { id } });
    for (const name of ["deleteReport", "getCompetitorReport"] as const)
      expect((await owner.api(name, { id })).status).toBe(404);
    expect((await owner.api("listCompetitorReports")).body.reports).toEqual([]);
    expect((await owner.api("getUsage")).body.posts.used, "what it used stays used").toBe(16);
  });

  test("is created and counted once per idempotency key, despite lost answers", async () => {
    const person = await signInNew(service);
    const url = "https://www.instagram.com/reel/L";
    const reels = Array.from({ length: 500 }, (_, index) => ({ url: `${url}${index}/`, views: index }));
    const make = async () => {
      const response = await person.jar.fetch(`${service.url}/app/api/competitor-reports`, {
        method: "POST",
        headers: { origin: service.url, "content-type": "application/json", "idempotency-key": "report-1" },
        body: JSON.stringify({ ...sixteenReels, reels }),
      });
      return {
        status: response.status,
        replayed: response.headers.get("idempotent-replayed"),
        body: await response.json(),
      };
    };
    const used = async (): Promise<number> => (await person.api("getUsage")).body.posts.used;
    const first = await make();
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(await make()).toEqual({ ...first, replayed: "true" });
    // The answer isn't kept any longer, as when the process died before it was.
    service.clock.advance(25 * hour);
    expect(await make()).toEqual(first);
    expect(await used()).toBe(500);
    expect((await person.api("listCompetitorReports")).body.reports).toHaveLength(1);

    await person.api("deleteReport", { id: first.body.id });
    expect(await make(), "no deleted report is given again").toMatchObject({ status: 403 });
    expect(await used()).toBe(500);
  });

  test("is listed with its key figures", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const older = (await owner.api("importReport", sixteenReels)).body;
    const newer = (await owner.api("importReport", { ...sixteenReels, handle: "another" })).body;
    const { body: first } = await owner.api("listReportFigures", { limit: 1 });
    const { body: second } = await owner.api("listReportFigures", { limit: 1, cursor: first.nextCursor });
    expect([first, second].map(({ reports }) => reports)).toEqual(
      [newer, older].map(({ id, handle, createdAt, reelsAnalyzed, metrics }) => [
        { id, handle, createdAt, reelsAnalyzed, metrics, platform: "instagram" },
      ]),
    );
    expect(second.nextCursor).toBeUndefined();
    const elsewhere = { ...sixteenReels, handle: "Another", reels: [{ url: "https://example.com/somewhere" }] };
    const third = (await owner.api("importReport", elsewhere)).body;
    const { body: ofHandle } = await owner.api("listReportFigures", { handle: "@another", limit: 1 });
    expect(ofHandle.reports).toMatchObject([{ id: third.id }]);
    expect(ofHandle.reports[0]).not.toHaveProperty("platform");
    const page = { handle: "another", cursor: ofHandle.nextCursor };
    expect((await owner.api("listReportFigures", page)).body.reports).toMatchObject([{ id: newer.id }]);
    const wrong = await owner.api("listReportFigures", { cursor: ofHandle.nextCursor });
    expect(wrong.status, "a cursor continues its own list").toBe(400);
    expect((await stranger.api("listReportFigures")).body).toEqual({ reports: [] });
  });

  test("compares reels by what is said in them, if the account has their scripts", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const reels: object[] = [];
    for (const reel of sixteenReels.reels)
      reels.push({ ...reel, ...(reels.length < 6 && { url: await transcribed(owner, "cook.daily") }) });
    const formatsFor = async (person: SignedIn) =>
      (await person.api("importReport", { ...sixteenReels, reels })).body.formats?.map(
        ({ name, reels: count }: { name: string; reels: number }) => [name, count],
      );
    expect(await formatsFor(owner)).toContainEqual(["with speech", 6]);
    expect(await formatsFor(stranger)).not.toContainEqual(["with speech", 6]);
  });

  test("shows how its top reels begin, if the library has their scripts", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const knownUrl = await transcribed(owner, "cook.daily");
    const unknown = reelOf("cook.daily");
    const reels = [unknown, `${knownUrl}?igsh=abc`, "https://example.com/somewhere"].map((url, index) => ({
      url,
      views: 1_000 - index,
    }));
    const one = (await owner.api("importReport", { ...sixteenReels, reels })).body;
    const other = (await stranger.api("importReport", { ...sixteenReels, reels })).body;
    const [script] = (await owner.api("searchMyScripts")).body.scripts;
    const { hooks, inLibrary } = (await owner.api("listReportHooks", { id: one.id })).body;
    expect(inLibrary).toBe(1);
    expect(hooks).toEqual([
      {
        url: one.topReels[1].url,
        scriptId: script.id,
        language: "en",
        text: expect.stringMatching(/^The same sentence/),
      },
    ]);
    expect((await stranger.api("listReportHooks", { id: other.id })).body).toEqual({ hooks: [], inLibrary: 0 });
    expect((await stranger.api("listReportHooks", { id: one.id })).status).toBe(404);
  });

  test("gives each script of its account its multiple of typical views", async () => {
    const owner = await signInNew(service);
    const stranger = await signInNew(service);
    const reel = aReel();
    for (const { accountId } of [owner, stranger])
      await ask(service.store, reel, anAllowance(accountId, { limit: 10 }));
    const transcript = transcriptOf(reel, { text: "Poke it. Save this.", handle: "Cook.Hourly", views: 4_567 });
    await service.store.transcriptions.complete(await mustClaim(service.store), transcript, true, service.clock.now());
    await ask(service.store, reel, anAllowance(stranger.accountId, { limit: 10 }));
    const analysisFor = async (person: SignedIn) => {
      const { id, analysis, views } = (await person.api("searchMyScripts")).body.scripts[0];
      expect((await person.api("getScript", { id })).body.analysis).toEqual(analysis);
      return { analysis, views };
    };
    const { analysis } = await analysisFor(owner);
    expect((await owner.api("searchMyScripts")).body.scripts[0].hook).toBe("Poke it.");
    expect(analysis).toEqual({ hook: "Poke it.", callToAction: "Save this.", wordsPerMinute: 23 });
    const reels = [1, 2, 3].map((times) => ({
      url: `https://www.instagram.com/reel/T${times}/`,
      views: times * 1_000,
    }));
    for (const [handle, caption] of [
      ["cook.hourly", "Older"],
      ["cook.hourly", 'Said "metrics":{"medianViews":7}'],
      ["another", "Another"],
    ] as const)
      await imported(owner, {
        ...sixteenReels,
        handle,
        collectedAt: caption === "Older" ? "2026-01-01T00:00:00Z" : sixteenReels.collectedAt,
        reels: reels.map((reel) => ({ ...reel, caption, views: caption === "Older" ? 1 : reel.views })),
      });
    expect(await analysisFor(owner)).toEqual({
      analysis: { ...analysis, timesTypicalViews: 2.28 },
      views: 4_567,
    });
    expect((await analysisFor(stranger)).analysis).toEqual(analysis);
  });

  test("may have 1,000 reels with the longest captions, within the plan", async () => {
    const person = await signInNew(service);
    const caption = "ச".repeat(2_200);
    const reels = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        url: `https://www.instagram.com/reel/L${index}/`,
        caption,
        views: index,
        likes: 1,
        comments: 1,
        postedAt: "2026-09-01T22:30:00Z",
        durationSeconds: 12.5,
      }));
    const large = { ...sixteenReels, reels: reels(1_000) };
    expect(Buffer.byteLength(JSON.stringify(large))).toBeGreaterThan(6_000_000);
    // Read whole, and refused by the plan of 500 alone.
    const refused = await person.api("importReport", large);
    expect(refused.headers.get("x-error-reason")).toBe("postsUsed");
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: "limitReached", message: expect.stringMatching(/1,?000 reels.*0 of the plan's 500/) } },
    });
    const most = await person.api("importReport", { ...large, reels: reels(500) });
    expect(most.body).toMatchObject({ reelsAnalyzed: 500, metrics: { medianViews: 249.5 } });
    expect((await person.api("importReport", { ...large, reels: reels(1) })).status).toBe(403);
    expect((await person.api("listCompetitorReports")).body.reports).toHaveLength(1);
    const endless = await person.api("importReport", { ...large, handle: "x".repeat(9_000_000) });
    expect(endless).toMatchObject({ status: 413, body: { error: { code: "invalidRequest" } } });
    const usual = await person.api("createKey", { name: "x".repeat(70_000) });
    expect(usual.status).toBe(413);
  });

  test("may have 5,000 reels with usual captions, and no more", async () => {
    const person = await signInNew(service);
    const reels = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        url: `https://www.instagram.com/reel/F${index}/`,
        caption: "ch ".repeat(200),
        views: index,
      }));
    const refused = async (count: number) => {
      const { status, body } = await person.api("importReport", { ...sixteenReels, reels: reels(count) });
      return [status, body.error.message];
    };
    expect(await refused(largestCollection)).toEqual([403, expect.stringMatching(/analyzes 5,?000 reels/)]);
    expect(await refused(largestCollection + 1)).toEqual([400, expect.stringContaining("`reels`")]);
  });

  test("is refused with the reason, future reports too", async () => {
    const person = await signInNew(service);
    const refused = async (change: object) => {
      const { status, body } = await person.api("importReport", { ...sixteenReels, ...change });
      expect([status, body.error?.code]).toEqual([400, "invalidRequest"]);
      return body.error.message;
    };
    const said = await refused({ surplus: 1, reels: [{ url: "https://www.instagram.com/reel/A/", views: "many" }] });
    expect(said).toMatch(/`surplus`.*`reels\[0\]\.views`|`reels\[0\]\.views`.*`surplus`/);
    expect(await refused({ reels: [] })).toContain("`reels`");
    expect(await refused({ collectedAt: "2099-01-01T00:00:00Z" })).toContain("`collectedAt`");
  });
});
