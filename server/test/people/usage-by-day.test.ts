import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPayer, day } from "../billing/payer.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

let service: TestService;
let shared: TestService;
let billed: TestService;
beforeAll(async () => {
  const rateLimits = { default: 1_000, transcribe: 1_000, bioWrite: 20, address: 600 };
  [service, shared, billed] = await Promise.all([
    startTestService({ transcriber: createGatedTranscriber(), rateLimits }),
    startTestService({ transcriber: createGatedTranscriber(), rateLimits, quotaScope: "account" }),
    startTestService({ transcriber: null, rateLimits }),
  ]);
});
afterAll(() => Promise.all([service.close(), shared.close(), billed.close()]));

let people = 0;
const aPerson = (of = service): Promise<SignedIn> => signIn(of, { email: `counted${(people += 1)}@example.com` });
const aReel = (of = service): string => of.standin.urlOf(of.standin.addReel({ bytes: Buffer.from("sound") }).code);
const today = (of = service): string => of.clock.now().toISOString().slice(0, 10);
const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
const usageOf = async (person: SignedIn, input = {}) => (await person.api("getUsageByDay", input)).body;
/** The counts of a row by day, without the days on which nothing was used. */
const used = (body: { days: string[] }, row: { byDay: number[] }): Record<string, number> =>
  Object.fromEntries(body.days.map((date, index) => [date, row.byDay[index]!]).filter(([, count]) => count !== 0));

/** To noon of the next day, so that no test runs into midnight. */
function nextNoon(of: TestService): void {
  const now = of.clock.now().getTime();
  of.clock.advance(Math.ceil(now / day) * day + 12 * hour - now);
}

describe("transcriptions by day", { timeout: 60_000 }, () => {
  test("are those that were charged, for people and for each key, and add up to the quota used", async () => {
    nextNoon(service);
    const person = await aPerson();
    const { key, secret } = (await person.api("createKey", { name: "CI" })).body;
    const first = today();
    const reel = aReel();
    await person.api("transcribeReel", { url: reel });
    await transcribe(service.url, secret, reel);
    await transcribe(service.url, secret, aReel());
    await transcribe(service.url, secret, "https://example.com/not-a-reel");
    service.clock.advance(2 * day);
    await transcribe(service.url, secret, aReel());
    await transcribe(service.url, secret, aReel());

    const body = await usageOf(person);
    expect(body).toMatchObject({ timeZone: "UTC", startsAt: null, endsAt: null, hasPrevious: false });
    expect(body.days).toHaveLength(3);
    expect([body.days.at(0), body.days.at(-1)]).toEqual([first, today()]);
    const [own, ci] = body.rows;
    expect(body.rows).toHaveLength(2);
    expect(own).toMatchObject({ of: "people", key: null, used: 1, otherDays: 0 });
    expect(used(body, own)).toEqual({ [first]: 1 });
    expect(ci).toMatchObject({ of: "key", key: { id: key.id, name: "CI" }, used: 3, otherDays: 0 });
    expect(used(body, ci)).toEqual({ [first]: 1, [today()]: 2 });
    expect(own.used).toBe((await person.api("getUsage")).body.transcriptions.used);
    expect(ci.used).toBe((await rest(service.url, "/usage", { key: secret })).body.transcriptions.used);

    await person.api("revokeKey", { id: key.id });
    expect((await usageOf(person)).rows[1]).toMatchObject({ of: "formerKey", key: null, used: 3 });
    expect(await person.api("getUsageByDay", { period: "previous" })).toMatchObject({ status: 404 });
    const stranger = await aPerson();
    expect((await usageOf(stranger)).rows).toMatchObject([{ of: "people", used: 0, otherDays: 0 }]);
  });

  test("older than what is shown are counted apart", async () => {
    nextNoon(service);
    const caller = await service.createCaller();
    const person = await aPerson();
    const { secret } = (await person.api("createKey", { name: "Old" })).body;
    await transcribe(service.url, secret, aReel());
    await person.api("transcribeReel", { url: aReel() });
    service.clock.advance(100 * day);
    // The session of before has ended; the account is the same.
    const again = await signIn(service, { email: `counted${people}@example.com` });
    expect(again.accountId).toBe(person.accountId);
    await transcribe(service.url, secret, aReel());
    const body = await usageOf(again);
    expect(body.days).toHaveLength(90);
    expect(body.rows).toMatchObject([
      { used: 1, otherDays: 1 },
      { used: 2, otherDays: 1 },
    ]);
    expect(used(body, body.rows[1])).toEqual({ [today()]: 1 });
    expect(caller.accountId).not.toBe(again.accountId);
  });

  test("are one row where the account is counted", async () => {
    const person = await aPerson(shared);
    const { secret } = (await person.api("createKey", { name: "CI" })).body;
    await transcribe(shared.url, secret, aReel(shared));
    await person.api("transcribeReel", { url: aReel(shared) });
    const body = await usageOf(person);
    expect(body.rows).toMatchObject([{ of: "people", used: 2, otherDays: 0 }]);
    expect(sum(body.rows[0].byDay)).toBe(2);
  });

  test("of a paid period begin with it, and the one before can be seen after the next payment", async () => {
    nextNoon(billed);
    const payer = await aPayer(billed);
    await payer.use(2);
    await payer.pay("hobby");
    await payer.use(3);
    const begun = await usageOf(payer);
    expect(begun).toMatchObject({ startsAt: expect.any(String), endsAt: expect.any(String), hasPrevious: false });
    expect(begun.days).toEqual([today(billed)]);
    expect(begun.rows).toMatchObject([{ used: 0 }, { of: "key", used: 3, byDay: [3] }]);

    billed.clock.advance(day);
    await payer.use(1);
    await payer.manage("renew");
    await payer.use(1);
    const [now, before] = [await usageOf(payer), await usageOf(payer, { period: "previous" })];
    expect(now.hasPrevious).toBe(true);
    expect(now.rows[1]).toMatchObject({ used: 1, otherDays: 0 });
    expect(before).toMatchObject({ startsAt: begun.startsAt, endsAt: now.startsAt });
    expect(before.rows[1]).toMatchObject({ used: 4, otherDays: 0 });
    expect(used(before, before.rows[1])).toEqual({ [begun.days[0]]: 3, [today(billed)]: 1 });
  });
});

test("nothing went wrong on our side", () =>
  expect([...service.faults, ...shared.faults, ...billed.faults]).toEqual([]));
