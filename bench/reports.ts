import { performance } from "node:perf_hooks";
import process from "node:process";
import { comparisonsOf } from "#server/features/reports/comparisons-of.ts";
import { randomOf } from "#server/features/reports/comparisons/find-differences.ts";
import type { Needs } from "./report.ts";
import { median } from "./statistics.ts";

const reelCount = 80;
const eveningReels = 20;
const sigma = 0.8;
const largestReport = 1_000;
const collectedAt = new Date("2026-11-20T10:00:00Z");

/** How often a report claims something of noise, how often it finds an effect, and how long it takes. */
export function benchReports({ report, quick }: Needs): void {
  const accounts = quick ? 100 : 1_000;
  report.section(
    "Reports",
    `${accounts} accounts of ${reelCount} reels over 200 days, views lognormal with sigma ${sigma}, times, lengths and captions by chance.`,
    `${eveningReels} of the reels, anywhere in time, are of the evening, whose views are multiplied.`,
  );
  const shares = [1, 1.5, 2, 2.5].map((times) => ({ times, ...shareOf(accounts, times) }));
  const noise = shares[0]!;
  report.figures([
    { what: "noise: any claim", value: noise.any, unit: "%", atMost: 0.05 },
    ...shares.slice(1).map(({ times, found }) => ({
      what: `${times} times the views in the evening: found`,
      value: found,
      unit: "%" as const,
      ...(times === 2.5 && { atLeast: 0.9 }),
    })),
  ]);
  const rounds = quick ? 5 : 25;
  const times = Array.from({ length: rounds }, (_, seed) => {
    const reels = accountOf(seed, 2.5, largestReport);
    const [before, started] = [process.cpuUsage(), performance.now()];
    comparisonsOf(reels, collectedAt, "Europe/Lisbon");
    const { user, system } = process.cpuUsage(before);
    return { processor: (user + system) / 1_000, wall: performance.now() - started };
  });
  report.table(
    [`report of ${largestReport} reels`, "processor ms", "wall ms"],
    [["median", ...(["processor", "wall"] as const).map((name) => median(times.map((one) => one[name])).toFixed(1))]],
  );
}

function shareOf(accounts: number, times: number): { any: number; found: number } {
  let [any, found] = [0, 0];
  for (let seed = 0; seed < accounts; seed += 1) {
    const clear = comparisonsOf(accountOf(seed, times), collectedAt, "UTC").filter((one) => one.clear);
    if (clear.length > 0) any += 1;
    if (clear.some(({ kind, hours, times: ratio }) => kind === "postingHours" && ratio > 1 === (hours?.from === 18)))
      found += 1;
  }
  return { any: any / accounts, found: found / accounts };
}

function accountOf(seed: number, times: number, reels = reelCount) {
  const random = randomOf(1_000_003 * (seed + 1));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let left = (reels * eveningReels) / reelCount;
  return Array.from({ length: reels }, (_, index) => {
    const evening = random() * (reels - index) < left;
    if (evening) left -= 1;
    const hour = evening ? 18 + Math.floor(random() * 6) : 6 + Math.floor(random() * 12);
    const views = Math.round(30_000 * Math.exp(sigma * normal()) * (evening ? times : 1));
    return {
      url: `https://www.instagram.com/reel/M${index}/`,
      caption: `${"word ".repeat(Math.floor(random() * 30))}${random() < 0.5 ? "#bread" : ""}`,
      views,
      likes: Math.round(views * 0.05 * Math.exp(0.4 * normal())),
      comments: 0,
      postedAt: new Date(Date.UTC(2026, 4, 1 + Math.floor((index * 200) / reels), hour, Math.floor(random() * 60))),
      durationSeconds: 8 + Math.floor(random() * 80),
    };
  });
}
