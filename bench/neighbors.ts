import { fork } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type Person, signInAs } from "../scripts/demo-person.ts";
import { type Answers, type Attack, type Attacker, attacks } from "./attacks.ts";
import { addLongScript, copyScript } from "./long-scripts.ts";
import type { QuietAnswers, QuietOrder } from "./processes/quiet-caller.ts";
import { createCaller, withStore } from "../scripts/processes/start-program.ts";
import { startThrowawayPostgres } from "../scripts/processes/throwaway-postgres.ts";
import { measureNeighborsAtWork } from "./neighbors-at-work.ts";
import { type Figure, type Needs, formatFigure } from "./report.ts";
import { type Service, startService, startStandin } from "./processes/start-service.ts";
import { p99 } from "./statistics.ts";

const collectors = 7;
/** Corrected scripts of the last collector: as many as a free account can have by the API alone. */
const few = 9;
/**
 * How many scripts collectors have, how long the quiet account calls alone, and the limits of an attack's time: one second has
 * too few quiet calls for a percentile, so an attack that ends sooner is still measured for `leastSeconds`.
 */
const sizes = {
  whole: { scripts: 900, warmUpSeconds: 1, controlSeconds: 3, leastSeconds: 3, longestSeconds: 90 },
  quick: { scripts: 900, warmUpSeconds: 1, controlSeconds: 3, leastSeconds: 3, longestSeconds: 30 },
  smallest: { scripts: 5, warmUpSeconds: 0.1, controlSeconds: 0.3, leastSeconds: 0.3, longestSeconds: 0.3 },
};
type Size = (typeof sizes)["whole"];
/** Others wait at most so long, or so many times as long as alone in the same minute. */
const mostMilliseconds = 300;
const mostTimes = 6;
const mostMegabytes = 1_500;

interface Setup {
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly platform: { readonly page: string; readonly media: string };
  readonly quiet: Quiet;
}

interface Measured {
  readonly alone: QuietAnswers;
  readonly beside: QuietAnswers;
  readonly answers: Answers;
  readonly megabytes: number;
}

/** Measures how much an account with few requests notices of one with many. */
export async function benchNeighbors(needs: Needs): Promise<void> {
  const { report, folder, extent, attack: attackName, started } = needs;
  report.section(
    "Neighbors",
    "An account asks for GET /usage 20 times a second over new connections, alone and then beside another account that",
    "attacks, in the same minutes on the same process; each attack has a process of its own, and PostgreSQL. Rate limits are raised.",
    "Peak: resident memory of the process. Answers: of the attack, by status; 0 was not answered to its end.",
  );
  const postgres = await startThrowawayPostgres(folder);
  if (!postgres) return report.note("left out: no PostgreSQL is installed here");
  const { databaseUrl } = await started(postgres);
  const standin = await started(startStandin());
  const quiet = await started(startQuietCaller());
  const setup = { databaseUrl, dataDirectory: path.join(folder, "data"), platform: standin.origins, quiet };
  const size = sizes[extent];
  const filled = await fill(setup, size);
  const selection = attacks.filter(
    ({ name, longestSeconds }) =>
      name.includes(attackName) && (extent !== "quick" || longestSeconds <= size.longestSeconds),
  );
  // The smallest run only shows that each attack can be made.
  const shared = extent === "smallest" ? await started(startAnswering(setup)) : undefined;
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const attack of selection) {
    const { alone, beside, answers, megabytes } = await measure({ setup, filled, size, attack, shared });
    const control = p99(alone.times);
    const slow = p99(beside.times);
    rows.push([
      attack.name,
      formatFigure(control, "ms"),
      formatFigure(slow, "ms"),
      `${beside.refused} of ${beside.times.length}`,
      [...answers].map(([status, count]) => `${status}: ${count}`).join(", "),
      formatFigure(megabytes, "MB"),
    ]);
    figures.push(
      {
        what: `${attack.name}, p99 beside`,
        value: slow,
        unit: "ms",
        atMost: Math.max(mostMilliseconds, mostTimes * Math.round(control)),
      },
      { what: `${attack.name}, peak`, value: megabytes, unit: "MB", atMost: mostMegabytes },
    );
  }
  if (rows.length > 0) report.table(["attack", "p99 alone", "p99 beside", "refused", "answers", "peak"], rows);
  figures.push(...(await measureNeighborsAtWork(needs, databaseUrl)));
  report.figures(figures);
}

interface Filled {
  readonly emails: readonly string[];
  readonly longScript: string;
  readonly attackerKey: string;
  readonly quietKey: string;
}

interface Attacked {
  readonly setup: Setup;
  readonly filled: Filled;
  readonly size: Size;
  readonly attack: Attack;
  readonly shared: Service | undefined;
}

/** Each attack has its own service, so that it leaves nothing to the next, unless one is shared. */
async function measure({ setup, filled, size, attack, shared }: Attacked): Promise<Measured> {
  const service = shared ?? (await startAnswering(setup));
  try {
    const people: Person[] = [];
    for (const email of filled.emails) people.push(await signInAs(email, service.url));
    const [person, ...rest] = people;
    const watched = { url: service.url, key: filled.quietKey };
    const warm = await setup.quiet.during(watched, () => pause(size.warmUpSeconds * 1_000));
    if (warm.refused > 0) throw new Error("the quiet account is refused before anybody attacks");
    const alone = await setup.quiet.during(watched, () => pause(size.controlSeconds * 1_000));
    const end = new AbortController();
    // Every call of an attack listens to it.
    setMaxListeners(0, end.signal);
    const timer = setTimeout(() => end.abort(), Math.min(attack.longestSeconds, size.longestSeconds) * 1_000);
    const attacker: Attacker = {
      url: service.url,
      key: filled.attackerKey,
      person: person!,
      longScript: filled.longScript,
      collectors: rest,
      platform: setup.platform.page,
      over: end.signal,
    };
    const memory = watchPeak(service.processId);
    let answers: Answers = new Map();
    const beside = await setup.quiet.during(watched, async () => {
      [answers] = await Promise.all([attack.make(attacker), pause(size.leastSeconds * 1_000)]);
    });
    clearTimeout(timer);
    return { alone, beside, answers, megabytes: memory.stop() };
  } finally {
    if (service !== shared) await service.stop();
  }
}

const startAnswering = ({ databaseUrl, dataDirectory, platform }: Setup): Promise<Service> =>
  startService({
    environment: { NODE_ENV: "development", DATA_DIR: dataDirectory, DATABASE_URL: databaseUrl, ROLE: "api" },
    standin: platform,
  });

/** An attacker with a long script, collectors with many, and a quiet account. */
async function fill(setup: Setup, { scripts }: Size): Promise<Filled> {
  const emails = Array.from({ length: collectors + 1 }, (_, index) => `neighbor${index}@example.com`);
  const service = await startAnswering(setup);
  const ids: string[] = [];
  try {
    for (const email of emails) {
      const person = await signInAs(email, service.url);
      ids.push((await person.ask<{ account: { id: string } }>("/session")).account.id);
    }
  } finally {
    await service.stop();
  }
  const client = new pg.Client(setup.databaseUrl);
  await client.connect();
  try {
    const longScript = await addLongScript(client, ids[0]!);
    await copyScript(
      client,
      longScript,
      ids.slice(1).map((id, index) => ({ id, scripts: index === collectors - 1 ? Math.min(few, scripts) : scripts })),
    );
    for (const id of [ids[1]!, ids.at(-1)!]) await correctScripts(client, id);
    await client.query("vacuum analyze");
    return await withStore(setup, async (store) => ({
      emails,
      longScript,
      attackerKey: (await createCaller(store, { accountId: ids[0]! })).key,
      quietKey: (await createCaller(store, { email: "quiet@example.com" })).key,
    }));
  } finally {
    await client.end();
  }
}

async function correctScripts(client: pg.Client, accountId: string): Promise<void> {
  await client.query(
    `insert into script_correction (script_number, texts, text, segments, words, original_text, original_segments,
       original_words, language, language_probability, seconds, speech_seconds, truncated, model, created_at, gaps,
       revision, corrected_at, tokens)
     select s.number, json_build_array(t.text), t.text, t.segments, t.words, t.text, t.segments, t.words, t.language,
       t.language_probability, t.seconds, t.speech_seconds, t.truncated, t.model, t.created_at, t.gaps, t.revision,
       now(), t.tokens
     from script as s join transcript as t on t.id = s.transcript_id where s.account_id = $1`,
    [accountId],
  );
}

interface Quiet {
  /** Collects the quiet account's responses at the same time. */
  during(setup: { readonly url: string; readonly key: string }, work: () => Promise<unknown>): Promise<QuietAnswers>;
  stop(): void;
}

async function startQuietCaller(): Promise<Quiet> {
  const child = fork(fileURLToPath(new URL("processes/quiet-caller.js", import.meta.url)), {
    serialization: "advanced",
  });
  await once(child, "spawn");
  const tell = (order: QuietOrder): void => void child.send(order);
  return {
    async during(begin, work) {
      tell({ begin });
      await work();
      tell("end");
      const [answers] = (await once(child, "message")) as [QuietAnswers];
      return answers;
    },
    stop: () => child.disconnect(),
  };
}

/** The peak resident memory of a process in megabytes; the last known value if it has ended. */
function watchPeak(processId: number): { stop(): number } {
  let peak = 0;
  const look = (): void => {
    try {
      const text = readFileSync(`/proc/${processId}/status`, "latin1");
      peak = Math.max(peak, (Number(/^VmHWM:\s+(\d+) kB$/mu.exec(text)?.[1] ?? 0) * 1_024) / 1e6);
    } catch {
      // It has ended, or this is not Linux.
    }
  };
  const timer = setInterval(look, 100);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}
