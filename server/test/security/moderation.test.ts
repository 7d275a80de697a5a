import { beforeEach, describe, expect, test } from "vitest";
import { anAllowance, ask } from "../database/conformance/fixtures.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { operatorOfTests } from "../harness/open-operator.ts";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();

describe("the operator", () => {
  const service = serviceOfTests({ transcriber: gate, rateLimits: { transcribe: 1_000 } });
  const operator = operatorOfTests(service);
  beforeEach(() => {
    gate.open();
    gate.close();
  });

  const operate = (...args: string[]) => operator.operate(...args);
  const why = (reason: string): string[] => ["--reason", reason, "--by", "ada"];
  const takeDown = (url: string, reason = "request of its author") => operate("takedown", "add", url, ...why(reason));
  const newReel = () => {
    const { code, mediaId } = service.standin.addReel({ bytes: Buffer.from("not looked at") });
    return { url: service.standin.urlOf(code), picture: `${service.url}/media/thumbnails/standin/${mediaId}.webp` };
  };
  const gone = {
    status: 404,
    body: {
      error: { code: "notFound", message: "The operator removed this reel from the service. It can't be transcribed." },
    },
  };
  const listUrls = async (key: string): Promise<string[]> =>
    (await rest(service.url, "/scripts?query=sentence", { key })).body.scripts.map(
      ({ reelUrl }: { reelUrl: string }) => reelUrl,
    );
  const resolve = (key: string, url: string) =>
    rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key });
  const begin = async (key: string, url: string): Promise<string> => {
    const id = await transcribeLater(service.url, key, url);
    await expect
      .poll(async () => (await rest(service.url, `/transcriptions/${id}`, { key })).body.status)
      .toBe("running");
    return id;
  };

  test("takes a reel down: it disappears everywhere, and doesn't return", async () => {
    gate.open();
    const one = await service.createCaller();
    const two = await service.createCaller();
    const reel = newReel();
    const other = newReel();
    const idempotent = () =>
      rest(service.url, "/transcribe", {
        key: one.key,
        body: { url: reel.url },
        headers: { "idempotency-key": "once" },
      });
    const first = await idempotent();
    expect(first).toMatchObject({ status: 200, body: { cached: false } });
    expect((await idempotent()).headers.get("idempotent-replayed")).toBe("true");
    for (const url of [reel.url, other.url]) expect((await transcribe(service.url, two.key, url)).status).toBe(200);
    const { id } = (await rest(service.url, "/scripts", { key: one.key })).body.scripts[0];
    const hasPicture = (await resolve(one.key, reel.url)).body.thumbnail !== null;
    if (hasPicture) expect((await fetch(reel.picture)).status).toBe(200);

    const done = await takeDown(`${reel.url}?utm_source=share`);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("It went from 2 libraries.");

    expect(await listUrls(one.key)).toEqual([]);
    expect(await listUrls(two.key)).toEqual([other.url]);
    expect((await rest(service.url, `/scripts/${id}`, { key: one.key })).status).toBe(404);
    expect((await fetch(reel.picture)).status).toBe(404);
    for (const key of [one.key, two.key]) {
      expect(await transcribe(service.url, key, reel.url)).toMatchObject(gone);
      expect(await resolve(key, reel.url)).toMatchObject(gone);
    }
    expect(await idempotent(), "what was kept for a repeated request is gone too").toMatchObject(gone);
    expect((await transcribe(service.url, two.key, other.url)).body).toMatchObject({ cached: true });
    expect(await used(service.url, one.key), "what was transcribed was charged").toBe(1);

    expect(await operate("takedown", "lift", reel.url, ...why("wrong reel"))).toMatchObject({ code: 0 });
    expect(await operate("takedown", "lift", reel.url, ...why("again"))).toMatchObject({ code: 1 });
    expect((await transcribe(service.url, two.key, reel.url)).body).toMatchObject({ cached: false });
  });

  test("takes down a running reel: callers hear it, nothing is charged", async () => {
    const caller = await service.createCaller();
    const reel = newReel();
    const id = await begin(caller.key, reel.url);
    const { key } = await service.createCaller();
    expect((await transcribe(service.url, key, reel.url)).status).toBe(409);
    expect((await takeDown(reel.url)).code).toBe(0);
    gate.open();
    expect((await rest(service.url, `/transcriptions/${id}`, { key: caller.key })).body).toMatchObject({
      status: "failed",
      error: gone.body.error,
    });
    expect(await transcribe(service.url, key, reel.url)).toMatchObject(gone);
    expect(await listUrls(caller.key)).toEqual([]);
    expect(await used(service.url, caller.key)).toBe(0);
    const { key: other } = await service.createCaller();
    const waiting = newReel();
    gate.close();
    const answer = transcribe(service.url, other, waiting.url);
    await expect.poll(() => service.store.transcriptions.queueLength()).toBe(1);
    await takeDown(waiting.url);
    expect(await answer).toMatchObject(gone);
  });

  test("is obeyed by whoever had asked before and writes after it", async () => {
    const { accountId } = await service.createCaller();
    const reel = { platform: "standin", mediaId: "4711", shortcode: "x", url: "http://127.0.0.1:1/reel/x/" };
    const now = service.clock.now();
    const decision = { by: "ada", reason: "test", now };
    await service.store.moderation.takeDown(reel, decision);
    const allowance = anAllowance(accountId);
    const request = () => ask(service.store, reel, allowance, { model: "one-sentence", now });
    expect(await request()).toMatchObject({ kind: "refused", failure: gone.body.error });
    await expect(
      service.store.thumbnails.keep(reel, { bytes: Buffer.from("x"), width: 1, height: 1 }, now),
    ).rejects.toThrow("The database answered with nothing");
    expect(await service.store.thumbnails.find(reel)).toBeUndefined();
    await service.store.moderation.allow(reel, decision);
    await service.store.moderation.suspend(accountId, decision);
    await expect(request()).rejects.toMatchObject({ code: "unauthorized" });
    expect(await service.store.allowances.read(allowance.subject, "lifetime")).toMatchObject({ used: 0, held: 0 });
  });

  test("suspends an account: keys, sessions and running work, until it is unsuspended", async () => {
    const person = await signIn(service, { email: "flood@example.com" });
    const { secret: key } = (await person.api("createKey", { name: "test" })).body;
    const reel = newReel();
    const second = newReel();
    const id = await begin(key, reel.url);
    const answer = transcribe(service.url, key, second.url);
    await expect.poll(() => service.store.transcriptions.queueLength()).toBe(2);
    expect(await operate("account", "suspend", person.accountId, ...why("floods the queue"))).toMatchObject({
      code: 0,
      stdout: `${person.accountId} is suspended.\n`,
    });
    const refused = {
      status: 401,
      body: {
        error: { code: "unauthorized", message: "This account is suspended. Contact the operator of this service." },
      },
    };
    expect(await answer).toMatchObject(refused);
    gate.open();
    for (const path of ["/usage", "/scripts", `/transcriptions/${id}`, "/nowhere"]) {
      const answer = await rest(service.url, path, { key });
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get("x-error-reason")).toBe("accountSuspended");
    }
    const cookie = person.jar.header("/");
    expect(await person.api("getSession")).toMatchObject(refused);
    expect(await person.api("listKeys")).toMatchObject(refused);
    expect(person.jar.header("/"), "the session waits").toBe(cookie);
    const page = await person.jar.follow(`${service.url}/auth/login`);
    const back = await person.jar.follow(
      page.at,
      {
        method: "POST",
        headers: { origin: service.url, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ email: "flood@example.com" }),
      },
      (url) => new URL(url).pathname.startsWith("/app"),
    );
    expect(back.headers.get("location")).toBe(`${service.url}/app/sign-in?error=suspended&return_to=%2Fapp`);
    expect((await operate("account", "list")).stdout).toMatch(new RegExp(`${person.accountId} .* suspended$`, "m"));
    expect((await operate("account", "suspend", person.accountId, ...why("again"))).code).toBe(1);

    expect((await operate("account", "unsuspend", person.accountId, ...why("settled"))).code).toBe(0);
    expect((await person.api("getSession")).status).toBe(200);
    expect(await used(service.url, key), "units that were held are back").toBe(0);
    expect(await listUrls(key)).toEqual([]);
    expect((await transcribe(service.url, key, reel.url)).body).toMatchObject({ cached: false, usage: { used: 1 } });
  });

  test("can tell who did what when and why, and must say so", async () => {
    const reel = newReel();
    await takeDown(reel.url, "court order 12/34");
    const { stdout } = await operate("audit", "list", "--limit", "3", "--json");
    const { entries } = JSON.parse(stdout) as { entries: Record<string, string>[] };
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      by: "ada",
      action: "takeDownReel",
      subject: reel.url,
      reason: "court order 12/34",
      at: expect.stringMatching(/^\d{4}-/),
    });
    expect((await operate("audit", "list")).stdout).toMatch(/ada +takeDownReel +http\S+ +court order 12\/34/);
    for (const args of [
      ["takedown", "add", reel.url, "--by", "ada"],
      ["takedown", "add", reel.url, "--reason", "x"],
      ["takedown", "add", reel.url, ...why(" ")],
      ["takedown", "add", "https://example.com/", ...why("x")],
      ["takedown", "add", "https://www.instagram.com/share/reel/BAabc123/", ...why("x")],
      ["audit", "list", "--limit", "0"],
    ])
      expect(await operate(...args), args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    expect((await operate("account", "suspend", "acc_nobody", ...why("x"))).code).toBe(1);
  });
});
