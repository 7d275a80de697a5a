import { recordVisit } from "../harness/record-visit.ts";
import { BioContent } from "@reelscript/contract";
import { expect, test } from "vitest";
import { foldBioEvents } from "../../src/periodic/tasks.ts";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";
import { openEmbedded } from "../database/opened-stores.ts";

const day = 86_400_000;

test("a worker folds what is old enough when it starts, and closes one day of a page after the other", async () => {
  const { store, close } = await openEmbedded();
  try {
    const now = new Date("2026-03-10T12:00:00.000Z");
    const { id: accountId } = await store.accounts.create({ email: "ana@example.com", plan: "free", now });
    const { id: bioId = "" } = await store.bioPages.change(
      accountId,
      () => BioContent.parse({ displayName: "A" }),
      now,
    );
    for (const daysAgo of [5, 4, 3, 2, 0])
      await recordVisit(store.bioEvents, {
        bioId,
        linkId: null,
        visitor: new Uint8Array(8),
        at: new Date(now.getTime() - daysAgo * day),
        referrer: null,
        country: null,
        device: "mobile",
      });
    const whole = { earliest: "2026-03-01", from: "2026-03-01", to: "2026-03-10" };
    const before = await store.bioEvents.read(accountId, whole);

    const answers: boolean[] = [];
    const faults: unknown[] = [];
    const folding = startPeriodicWork({
      tasks: [
        foldBioEvents({
          async fold(moment) {
            const folded = await store.bioEvents.fold(moment);
            answers.push(folded);
            return folded;
          },
        }),
      ],
      taskLeases: store.taskLeases,
      clock: { now: () => now },
      onFault: (error) => faults.push(error),
    });
    await expect.poll(() => answers).toEqual([true, true, true, true, false]);
    await folding.stop();
    expect(faults).toEqual([]);
    expect(await store.bioEvents.read(accountId, whole)).toEqual(before);
  } finally {
    await close();
  }
});

test("a database that is away is told, and ends nothing", async () => {
  const faults: unknown[] = [];
  const away = new Error("away");
  const folding = startPeriodicWork({
    tasks: [foldBioEvents({ fold: () => Promise.reject(away) })],
    taskLeases: { take: () => Promise.resolve(true), end: () => Promise.resolve() },
    clock: { now: () => new Date() },
    onFault: (error) => faults.push(error),
  });
  await expect.poll(() => faults).toEqual([away]);
  await folding.stop();
});
