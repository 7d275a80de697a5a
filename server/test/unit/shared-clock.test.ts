import { describe, expect, test } from "vitest";
import { createSharedClock } from "../../src/start/shared-clock.ts";

const start = Date.UTC(2026, 0, 1);

/** A machine and a server, whose answers take `delay` milliseconds. */
function clocks({ server = 0, delay = 0, others = [] }: { server?: number; delay?: number; others?: number[] }) {
  const state = { time: start, server, delay, isAway: false };
  const corrections: number[] = [];
  const refusals: number[] = [];
  const shared = createSharedClock({
    clock: { now: () => new Date(state.time) },
    onCorrection: (seconds) => corrections.push(seconds),
    onServerWrong: (seconds) => refusals.push(seconds),
  });
  const check = async () => {
    await shared.follow({
      async moment() {
        if (state.isAway) throw new Error("away");
        state.time += state.delay / 2;
        const answer = new Date(state.time + state.server);
        state.time += state.delay / 2;
        return answer;
      },
      compare: async () => others,
    });
    shared.close();
  };
  return { state, check, corrections, refusals, shared, wrongBy: () => shared.now().getTime() - state.time };
}

describe("the clock that processes share", () => {
  test("follows the server if this machine is far off, reporting once", async () => {
    for (const server of [45_000, -45_000]) {
      const { check, corrections, wrongBy } = clocks({ server });
      await check();
      await check();
      expect(wrongBy()).toBe(server);
      expect(corrections).toEqual([server / 1_000]);
    }
  });

  test("ignores small differences, and servers too slow to tell", async () => {
    for (const machine of [clocks({ server: 1_500 }), clocks({ server: 4_000, delay: 10_000 })]) {
      await machine.check();
      expect(machine.wrongBy()).toBe(0);
      expect(machine.corrections).toEqual([]);
    }
  });

  test("keeps its correction during an outage, until the machine's clock is right", async () => {
    const { state, check, corrections, wrongBy } = clocks({ server: 45_000, delay: 20 });
    await check();
    state.isAway = true;
    await check();
    expect(wrongBy()).toBe(45_000);
    state.isAway = false;
    state.time += 45_000;
    state.server = 0;
    await check();
    expect(wrongBy()).toBe(0);
    expect(corrections).toEqual([45, 0]);
  });

  const twoHours = 2 * 60 * 60 * 1_000;
  test.each([
    ["ahead, and no other process is there", { server: twoHours }],
    ["behind, and no other process is there", { server: -twoHours }],
    ["ahead of every machine", { server: twoHours, others: [twoHours, twoHours + 5_000] }],
    ["ahead of most machines", { server: twoHours, others: [0, twoHours - 5_000, twoHours] }],
  ])("isn't a server's that is hours %s", async (_how, given) => {
    const { check, corrections, refusals, shared, wrongBy } = clocks(given);
    await check();
    await check();
    expect(wrongBy()).toBe(0);
    expect(corrections).toEqual([]);
    expect(refusals).toEqual([given.server / 1_000]);
    expect([shared.isServerWrong(), shared.ahead()]).toEqual([true, given.server / 1_000]);
  });

  test("is the server's when this machine alone is hours off", async () => {
    const { check, corrections, refusals, wrongBy } = clocks({ server: twoHours, others: [0, 300, -200] });
    await check();
    expect(wrongBy()).toBe(twoHours);
    expect([corrections, refusals]).toEqual([[twoHours / 1_000], []]);
  });
});
