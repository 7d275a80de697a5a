/**
 * Causes faults one after the other, and after each checks everything that must always hold. Ends with 1 if something did not.
 */
import { stdout } from "node:process";
import { parseArgs } from "node:util";
import { createReport } from "../bench/report.ts";
import { faults } from "./faults.ts";
import { openWorld, type World } from "./open-world.ts";
import { createRandom } from "./random.ts";
import { type Fault, type Outcome, runRound } from "./run-round.ts";

const usage = `npm run faults [-- --seed N] [--only NAME] [--minutes N] [--embedded] [--list]

  --seed N      the order of the faults and what is left to chance in them; printed, so that a run can be repeated.
                May be given more than once: then every fault comes once for each
  --only NAME   the faults whose names begin with it; may be given more than once
  --minutes N   after which no further fault begins; default 60, at most 240
  --embedded    one process with the embedded database, as where no PostgreSQL server is installed
  --before TREE the folder of an earlier release that was built (npm ci && npm run build), for the round in which releases
                roll; without it that round takes this tree and one migration more
  --list        prints the names
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", multiple: true, default: [String(Date.now() % 1_000_000)] },
    only: { type: "string", multiple: true, default: [""] },
    minutes: { type: "string", default: "60" },
    embedded: { type: "boolean", default: false },
    before: { type: "string" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const selection = faults.filter(({ name }) => values.only.some((start) => name.startsWith(start)));
if (
  values.help ||
  selection.length === 0 ||
  !(minutes > 0 && minutes <= 240) ||
  !values.seed.every((seed) => /^\d+$/.test(seed))
) {
  stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}
if (values.list) {
  stdout.write(selection.map(({ name }) => `${name}\n`).join(""));
  process.exit(0);
}

let world: World | undefined;
let opening: Promise<World> | undefined;
let isStopped = false;
for (const name of ["SIGINT", "SIGTERM"])
  process.on(name, () => {
    if (isStopped) process.exit(130);
    isStopped = true;
    stdout.write("  stopping\n");
    // A world that is still opening has processes, too.
    void Promise.resolve(opening)
      .then((opened) => opened?.close())
      .finally(() => process.exit(130));
  });

const kindOf = ({ name }: { readonly name: string }): string => name.split(" ")[0]!;
const open = (): Promise<World> =>
  (opening = openWorld({
    embedded: values.embedded,
    releaseBefore: values.before,
    onNote: (text) => stdout.write(`  ${text}\n`),
  }));
const results: Result[] = [];
const started = performance.now();
const end = started + minutes * 60_000;
stdout.write(`seed ${values.seed.join(", ")}  ${selection.length} faults  Node ${process.version}\n`);
try {
  for (const { seed, fault } of plan()) {
    if (performance.now() > end || isStopped) {
      results.push({ name: fault.name, outcome: "not reached", reasons: [], probes: [], notes: [], seconds: 0 });
      continue;
    }
    world ??= await open();
    const result = await runRound(fault, world, createRandom(`${seed} ${fault.name}`));
    const namedResult = { name: fault.name, ...result };
    results.push(namedResult);
    stdout.write(lineOf(namedResult));
    if (result.outcome !== "broken") continue;
    for (const { name, printed } of world.members)
      stdout.write(indented(`${name} printed`, printed().split("Ctrl-C stops.")[1]));
    await world.close();
    world = opening = undefined;
  }
} finally {
  await world?.close();
}
if (!isStopped) report();

type Result = Outcome & { readonly name: string };

function plan(): { readonly seed: string; readonly fault: Fault }[] {
  return values.seed.flatMap((seed) =>
    inTurn(createRandom(seed).shuffled(selection)).map((fault) => ({ seed, fault })),
  );
}

/** Takes one of each kind, then the next of each, so that a short run covers all kinds. */
function inTurn(list: readonly Fault[]): Fault[] {
  const seen: Record<string, number> = {};
  const turns = list.map((fault) => {
    const kind = kindOf(fault);
    return { fault, turn: (seen[kind] = (seen[kind] ?? 0) + 1) };
  });
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ fault }) => fault);
}

function lineOf({ name, outcome, reasons, probes, notes, seconds, callCount, refused }: Result): string {
  const slowest = probes.length > 0 ? `, slowest fresh reel ${Math.max(...probes).toFixed(1)} s` : "";
  const figures =
    callCount === undefined ? "" : `  ${seconds.toFixed(0)} s, ${callCount} calls, ${refused} refused${slowest}`;
  return `${outcome.padEnd(11)} ${name.padEnd(44)}${figures}\n${[...notes, ...reasons].map((reason) => indented("", reason)).join("")}`;
}

function indented(title: string, text = ""): string {
  const lines = text.trim().split("\n").filter(Boolean).slice(-12);
  return lines.length === 0
    ? ""
    : `${[title, ...lines]
        .filter(Boolean)
        .map((line) => `    ${line.slice(0, 400)}`)
        .join("\n")}\n`;
}

function report(): void {
  const outcomes = ["held", "broken", "skipped", "not reached"];
  const count = (kind: string, outcome: string): number =>
    results.filter((one) => one.outcome === outcome && (kind === "all" || kindOf(one) === kind)).length;
  createReport().table(
    ["", ...outcomes],
    [...new Set(selection.map(kindOf)), "all"].map((kind) => [
      kind,
      ...outcomes.map((outcome) => count(kind, outcome)),
    ]),
  );
  const probes = results.flatMap((one) => one.probes);
  if (probes.length > 0)
    stdout.write(`${probes.length} fresh reels were served, the slowest in ${Math.max(...probes).toFixed(1)} s\n`);
  for (const { outcome, name, reasons } of results)
    if (outcome === "skipped" || outcome === "broken") stdout.write(`${outcome}: ${name}: ${reasons[0]}\n`);
  stdout.write(`seed ${values.seed.join(", ")}, ${((performance.now() - started) / 60_000).toFixed(1)} minutes\n`);
  process.exitCode = count("all", "broken") > 0 ? 1 : 0;
}
