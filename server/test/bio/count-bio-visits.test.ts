import { ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import { createCountBioVisits } from "../../src/features/bio/visits/count-bio-visits.ts";
import type { BioBatch } from "../../src/ports.ts";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

/** A database that can be away, or lose its answer after it has written, which no real one does on command. */
function aCounter() {
  let moment = Date.UTC(2026, 4, 1, 12);
  let trouble: "away" | "lost" | "broken" | undefined;
  const written = new Map<string, BioBatch>();
  const salted: string[] = [];
  const faults: string[] = [];
  const counter = createCountBioVisits({
    bioEvents: {
      async saltOf(day) {
        if (trouble === "away") throw new ServiceError("unavailable", "away");
        salted.push(day);
        return new TextEncoder().encode(day);
      },
      async write(batch) {
        if (trouble === "away") throw new ServiceError("unavailable", "away");
        if (trouble === "broken") throw new Error("broken");
        written.set(batch.id, batch);
        if (trouble === "lost") throw new ServiceError("unavailable", "lost");
        return batch.visits.map(() => "counted");
      },
    },
    clock: { now: () => new Date(moment) },
    onFault: (error) => void faults.push(error instanceof Error ? error.message : String(error)),
  });
  return {
    ...counter,
    salted,
    faults,
    visits: () => [...written.values()].flatMap(({ visits }) => visits),
    excluded: () => [...written.values()].flatMap(({ excluded }) => excluded),
    get: (network: number, { linkId = null as string | null, userAgent = iphone } = {}) =>
      counter.note({
        bioId: "bio_1",
        linkId,
        method: "GET",
        headers: { "user-agent": userAgent },
        network: `net-${network}`,
        host: "reelscript.example",
        owner: false,
        country: null,
      }),
    be: (next: typeof trouble) => void (trouble = next),
    advance: (milliseconds: number) => void (moment += milliseconds),
  };
}

test("events during a database outage are written afterward", async () => {
  const { get, write, be, visits, faults } = aCounter();
  be("away");
  for (let network = 0; network < 3_000; network += 1) get(network);
  await write();
  expect([visits().length, faults]).toEqual([0, ["away"]]);
  be(undefined);
  get(3_000);
  await write();
  expect(visits()).toHaveLength(3_001);
});

test("a batch whose response was lost is resent under its id", async () => {
  const { get, write, be, visits } = aCounter();
  be("lost");
  get(1);
  await write();
  be(undefined);
  get(2);
  await write();
  expect(visits()).toHaveLength(2);
});

test("a batch that the database refuses holds nothing up", async () => {
  const { get, write, be, visits, faults } = aCounter();
  be("broken");
  get(1);
  await write();
  be(undefined);
  get(2);
  await write();
  expect([visits().length, faults]).toEqual([1, ["broken"]]);
});

test("memory is bounded, and the log says how many were dropped", async () => {
  const { get, write, be, visits, faults } = aCounter();
  be("away");
  const judged = new Set(Array.from({ length: 20_000 }, (_, network) => get(network)));
  expect([...judged]).toEqual(["counted"]);
  for (let network = 0; network < 5; network += 1) expect(get(100_000 + network)).toBe("dropped");
  be(undefined);
  await write();
  expect(visits()).toHaveLength(20_000);
  expect(faults).toEqual([expect.stringMatching(/^5 requests /)]);
});

test("days have salts of their own, which are asked for once", async () => {
  const { get, write, advance, visits, salted } = aCounter();
  get(1);
  get(1);
  await write();
  get(1);
  advance(12 * 3_600_000);
  get(1);
  await write();
  expect(salted).toEqual(["2026-05-01", "2026-05-02"]);
  const names = visits().map(({ visitor }) => Buffer.from(visitor).toString("hex"));
  expect(new Set(names.slice(0, 3)).size).toBe(1);
  expect(names[3]).not.toBe(names[0]);
});

test("a batch has one click per visitor and link, without personal data", async () => {
  const { get, write, visits } = aCounter();
  for (let times = 0; times < 3; times += 1) get(1, { linkId: "lnk_1" });
  get(2, { linkId: "lnk_1" });
  await write();
  expect(visits()).toHaveLength(2);
  expect(JSON.stringify(visits())).not.toMatch(/net-|Mozilla/);
});

test("a network counts 300 times per minute and 10,000 per day", async () => {
  const { get, advance } = aCounter();
  let counted = 0;
  for (let minute = 0; minute < 40; minute += 1) {
    for (let times = 0; times < 310; times += 1) if (get(1) === "counted") counted += 1;
    if (minute === 0) expect([counted, get(1), get(2)]).toEqual([300, "floods", "counted"]);
    advance(60_000);
  }
  expect(counted).toBe(10_000);
  advance(86_400_000);
  expect(get(1)).toBe("counted");
});

test("events above a network's limit are one row of left-out events", async () => {
  const { get, write, visits, excluded } = aCounter();
  for (let times = 0; times < 310; times += 1) get(1);
  await write();
  expect([visits().length, excluded()]).toMatchObject([300, [{ reason: "floods", requests: 10 }]]);
});
