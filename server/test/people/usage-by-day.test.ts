import { describe, expect, test } from "vitest";
import { getUsageByDay } from "../../src/features/account/get-usage-by-day.ts";
import { allowanceOf, periodAt } from "../../src/rules/allowance.ts";
import { aPayer, day, holdUnit } from "../billing/payer.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { type SignedIn, signIn, signInNew } from "../harness/sign-in.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const rateLimits = { default: 1_000, transcribe: 1_000 };
const service = serviceOfTests({ transcriber: createGatedTranscriber(), rateLimits });
/** Without a worker, so that the tests store what was transcribed. */
const billed = serviceOfTests({ transcriber: null, rateLimits, stripe: {} });

type Output = Extract<Awaited<ReturnType<ReturnType<typeof getUsageByDay>>>, { days: unknown }>;

const today = (of = service): string => of.clock.now().toISOString().slice(0, 10);
const usageOf = async (person: SignedIn, input = {}) => (await person.api("getUsageByDay", input)).body;
/** The counts of a row by day, without the days on which nothing was used. */
const used = (body: { days: string[] }, row: { byDay: number[] }): Record<string, number> =>
  Object.fromEntries(body.days.map((date, index) => [date, row.byDay[index]!]).filter(([, count]) => count !== 0));

/** Days that pass in pieces, so that the session lasts. */
async function days(person: SignedIn, count: number, of = billed): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    of.clock.advance(day);
    expect((await person.api("getSession")).status).toBe(200);
  }
}

describe("transcriptions by day", () => {
  test("are the charged units per key, and sum to the used quota", async () => {
    service.clock.toNoon();
    const person = await signInNew(service);
    const { key, secret } = (await person.api("createKey", { name: "CI" })).body;
    const first = today();
    const reel = service.newReel();
    await person.api("transcribeReel", { url: reel });
    await transcribe(service.url, secret, reel);
    await transcribe(service.url, secret, service.newReel());
    await transcribe(service.url, secret, "https://example.com/not-a-reel");
    service.clock.advance(2 * day);
    await transcribe(service.url, secret, service.newReel());
    await transcribe(service.url, secret, service.newReel());

    const body = await usageOf(person);
    expect(body).toMatchObject({ timeZone: "UTC", startsAt: null, endsAt: null, previous: null });
    expect(body.days).toHaveLength(3);
    expect([body.days.at(0), body.days.at(-1)]).toEqual([first, today()]);
    const [peopleRow, ci] = body.rows;
    expect(body.rows).toHaveLength(2);
    expect(peopleRow).toMatchObject({ of: "people", key: null, used: 1, otherDays: 0 });
    expect(used(body, peopleRow)).toEqual({ [first]: 1 });
    expect(ci).toMatchObject({ of: "key", key: { id: key.id, name: "CI" }, used: 3, otherDays: 0 });
    expect(used(body, ci)).toEqual({ [first]: 1, [today()]: 2 });
    expect(peopleRow.used).toBe((await person.api("getUsage")).body.transcriptions.used);
    expect(ci.used).toBe((await rest(service.url, "/usage", { key: secret })).body.transcriptions.used);

    await person.api("revokeKey", { id: key.id });
    expect((await usageOf(person)).rows[1]).toMatchObject({ of: "formerKey", key: null, used: 3 });
    expect(await person.api("getUsageByDay", { period: "previous" })).toMatchObject({ status: 404 });
    const stranger = await signInNew(service);
    expect((await usageOf(stranger)).rows).toMatchObject([{ of: "people", used: 0, otherDays: 0 }]);
  });

  test("older than what is shown are counted apart", async () => {
    service.clock.toNoon();
    const caller = await service.createCaller();
    const person = await signInNew(service);
    const { secret } = (await person.api("createKey", { name: "Old" })).body;
    await transcribe(service.url, secret, service.newReel());
    await person.api("transcribeReel", { url: service.newReel() });
    service.clock.advance(100 * day);
    // The session of before has ended; the account is the same.
    const again = await signIn(service, { email: person.email });
    expect(again.accountId).toBe(person.accountId);
    await transcribe(service.url, secret, service.newReel());
    const body = await usageOf(again);
    expect(body.days).toHaveLength(90);
    expect(body.rows).toMatchObject([
      { used: 1, otherDays: 1 },
      { used: 2, otherDays: 1 },
    ]);
    expect(used(body, body.rows[1])).toEqual({ [today()]: 1 });
    expect(caller.accountId).not.toBe(again.accountId);
  });

  test("of a paid period begin with it, and stay visible afterward", async () => {
    billed.clock.toNoon();
    const payer = await aPayer(billed);
    await payer.use(2);
    await payer.pay("hobby");
    await payer.use(3);
    const begun = await usageOf(payer);
    expect(begun).toMatchObject({ startsAt: expect.any(String), endsAt: expect.any(String) });
    expect(begun.days).toEqual([today(billed)]);
    expect(begun.rows).toMatchObject([{ used: 0 }, { of: "key", used: 3, byDay: [3] }]);

    billed.clock.advance(day);
    await payer.use(1);
    await payer.manage("renew");
    await payer.use(1);
    const now = await usageOf(payer);
    const before = await usageOf(payer, { period: "previous" });
    expect(now.previous).toEqual({ startsAt: begun.startsAt, endsAt: now.startsAt });
    expect(now.rows[1]).toMatchObject({ used: 1, otherDays: 0 });
    expect(before).toMatchObject({ startsAt: begun.startsAt, endsAt: now.startsAt });
    expect(before.rows[1]).toMatchObject({ used: 4, otherDays: 0 });
    expect(used(before, before.rows[1])).toEqual({ [begun.days[0]]: 3, [today(billed)]: 1 });
  });

  test("of a period end with it, even if the next is unused", async () => {
    billed.clock.toNoon();
    const payer = await aPayer(billed);
    await payer.pay("hobby");
    await payer.use(3);
    const { startsAt } = await usageOf(payer);
    await days(payer, 4);
    await payer.manage("renew");
    const second = await usageOf(payer);
    await days(payer, 8);
    await payer.manage("renew");
    const span = { startsAt, endsAt: second.startsAt };
    expect((await usageOf(payer)).previous).toEqual(span);
    const before = await usageOf(payer, { period: "previous" });
    expect(before).toMatchObject({ ...span, previous: span });
    expect(before.days).toHaveLength(5);
    expect(before.rows[1]).toMatchObject({ used: 3, otherDays: 0 });
  });

  test("of a canceled period end with it; later use is the next's", async () => {
    billed.clock.toNoon();
    const payer = await aPayer(billed);
    await payer.use(1);
    await payer.pay("hobby");
    const { startsAt } = await usageOf(payer);
    await payer.use(2);
    await days(payer, 4);
    await payer.use(1);
    const canceledOn = today(billed);
    await payer.manage("cancel-now");
    await days(payer, 3);
    await payer.use(1);
    const now = await usageOf(payer);
    expect(now).toMatchObject({ startsAt: null, previous: { startsAt, endsAt: expect.stringContaining(canceledOn) } });
    expect(now.rows[1]).toMatchObject({ used: 2, otherDays: 0 });
    const before = await usageOf(payer, { period: "previous" });
    expect(before.days).toHaveLength(5);
    expect(before.rows[1]).toMatchObject({ used: 3, otherDays: 0 });
    expect(Object.values(used(before, before.rows[1]))).toEqual([2, 1]);
  });

  test("of a plan granted by the operator follow its own month", async () => {
    billed.clock.toNoon();
    const anchor = new Date(billed.clock.now().getTime());
    const end = periodAt(anchor, anchor).end;
    const { store, clock } = billed;
    const account = await store.accounts.create({ email: "given@example.com", plan: "hobby", now: anchor });
    await (
      await holdUnit(billed, allowanceOf(account, 0, "key", anchor))
    )();
    clock.advance(300 * day);
    const needs = { allowances: store.allowances, keys: store.keys, quotaScope: "key", clock } as const;
    const caller = { kind: "session", account } as never; // safe: of a caller the handler reads the account only
    const call = async (period: "current" | "previous"): Promise<Output> => {
      const answer = await getUsageByDay(needs)({ input: { period }, caller } as never); // safe: it reads nothing else
      return "days" in answer ? answer : expect.fail("not accepted for later");
    };
    const span = { startsAt: anchor, endsAt: end };
    expect((await call("current")).previous).toMatchObject(span);
    const before = await call("previous");
    expect(before).toMatchObject(span);
    expect(before.days.at(0)).toBe(anchor.toISOString().slice(0, 10));
    expect(before.days.at(-1)).toBe(end.toISOString().slice(0, 10));
    expect(before.rows[0]).toMatchObject({ used: 1, otherDays: 0 });
  });

  test("of Free can be seen after the first payment", async () => {
    billed.clock.toNoon();
    const payer = await aPayer(billed);
    await payer.use(2);
    const first = today(billed);
    await days(payer, 3);
    await payer.use(1);
    await payer.pay("hobby");
    expect((await usageOf(payer)).previous).toEqual({ startsAt: null, endsAt: null });
    const before = await usageOf(payer, { period: "previous" });
    expect(before).toMatchObject({ startsAt: null, endsAt: null });
    expect(before.rows[1]).toMatchObject({ of: "key", used: 3, otherDays: 0 });
    expect(used(before, before.rows[1])).toEqual({ [first]: 2, [today(billed)]: 1 });
  });

  test("are a key's only from when it was created", async () => {
    billed.clock.toNoon();
    const payer = await aPayer(billed);
    await payer.pay("hobby");
    await payer.use(2);
    await days(payer, 2);
    await payer.manage("renew");
    await payer.use(1);
    expect((await usageOf(payer)).rows[1]).toMatchObject({ of: "key", afterFormerKey: false });
    billed.clock.advance(hour);
    await payer.api("revokeKey", { id: (await payer.api("listKeys")).body.keys[0].id });
    const { key } = (await payer.api("createKey", { name: "Next" })).body;
    await payer.use(1);
    const now = await usageOf(payer);
    const before = await usageOf(payer, { period: "previous" });
    expect(now.rows[1]).toMatchObject({ of: "key", key: { id: key.id }, used: 2, afterFormerKey: true });
    expect(before.rows[1]).toMatchObject({ of: "formerKey", key: null, used: 2 });
    expect(before.rows).toHaveLength(2);
  });
});
