import { readdirSync } from "node:fs";
import path from "node:path";
import type { QueryResultRow } from "pg";
import type { Callers } from "./callers.ts";
import type { Ledger } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Random } from "./random.ts";
import { isDecoder, isKept, isRecognizer, type Member } from "./start-member.ts";
import { sessionOf } from "../scripts/processes/process-table.ts";
import { until } from "./waiting.ts";

const shortestQuiet = 60;
const sample = 8;

const counts = `
  select a.account_id, sum(a.used)::integer as used, sum(a.held)::integer as held,
    (select count(*) from hold where hold.account_id = a.account_id and state = 'charged')::integer as charged,
    (select count(*) from hold where hold.account_id = a.account_id and state = 'held')::integer as open,
    (select count(*) from transcription as t join transcript as s
      on s.platform = t.platform and s.media_id = t.media_id and s.owner is not distinct from t.owner
      where t.account_id = a.account_id and t.state = 'done' and t.retranscribes is null and text <> '')::integer as transcriptions
  from allowance as a group by 1`;
const queue = `
  select (select count(*) from transcription where state in ('queued', 'running'))::integer as open,
    (select coalesce(sum(open), 0) from queue_length)::integer as length,
    (select count(*) from queue_account where waiting <> 0 or running <> 0)::integer as accounts`;
const doubles = `
  select media_id from transcription where state = 'done' and retranscribes is null group by platform, media_id, owner having count(*) > 1
  union all select media_id from transcript group by platform, media_id, owner having count(*) > 1`;
const stuck = `
  select count(*)::integer as count from pg_stat_activity
  where state like 'idle in transaction%' and now() - state_change > interval '10 seconds'`;
const stored = `
  select media_id, text, array_agg(script.account_id) as holders
  from transcript left join script on transcript_id = transcript.id group by media_id, text`;

/** Waits until nothing waits, runs or is held, then checks everything that must always hold. Returns the violations. */
export async function brokenInvariants(world: World, callers: Callers, random: Random): Promise<string[]> {
  const broken: string[] = [];
  const quietSeconds = shortestQuiet * world.patience;
  await until(quietSeconds, "", () => callers.unanswered().length === 0).catch(() => undefined);
  let state = await world.inspect(readState);
  const isQuiet = async (): Promise<boolean> =>
    state.queue.open === 0 || (state = await world.inspect(readState)).queue.open === 0;
  // With the embedded database each check stops the process, which needs some time for its work in between.
  const every = world.isFleet ? 500 : 5_000;
  await until(quietSeconds, "the queue is empty again", isQuiet, { every }).catch((error: Error) =>
    broken.push(error.message),
  );
  for (const { account_id: id, ...row } of state.counts) {
    if (row.used !== row.charged || row.used !== row.transcriptions || row.held !== row.open)
      broken.push(
        `${id}: ${row.used} used, ${row.charged} charged, ${row.transcriptions} transcribed, ${row.held} held`,
      );
    if (row.open > 0) broken.push(`${id}: ${row.open} units are still held`);
  }
  if (Object.values(state.queue).some((value) => value !== 0))
    broken.push(`the queue counts ${JSON.stringify(state.queue)}`);
  for (const { media_id: reel } of state.doubles) broken.push(`${reel} was transcribed twice`);
  if (state.stuck > 0) broken.push("a transaction was left open");
  broken.push(...compare(world.ledger, state.stored));
  broken.push(...(await answers(world, state, callers, random)), ...world.ledger.takeProblems());
  await until(15, "", () => leftovers(world).length === 0, { every: 200 }).catch(() =>
    broken.push(...leftovers(world)),
  );
  broken.push(...callers.takeWrong(), ...callers.unanswered().map((what) => `never answered: ${what}`));
  return [...new Set(broken)];
}

interface Counts {
  readonly account_id: string;
  readonly used: number;
  readonly held: number;
  readonly charged: number;
  readonly open: number;
  readonly transcriptions: number;
}
interface Stored {
  readonly media_id: string;
  readonly text: string;
  readonly holders: readonly (string | null)[];
}

const readState = async (query: World["query"]) => ({
  counts: await query<Counts & QueryResultRow>(counts),
  queue: (await query<Record<"open" | "length" | "accounts", number>>(queue))[0]!,
  doubles: await query<{ media_id: string }>(doubles),
  stuck: (await query<{ count: number }>(stuck))[0]!.count,
  stored: await query<Stored & QueryResultRow>(stored),
});

function compare(ledger: Ledger, rows: readonly Stored[]): string[] {
  const byReel = new Map(rows.map((row) => [row.media_id, row]));
  return ledger.transcripts().flatMap(({ reel, transcript, holders }) => {
    const row = byReel.get(reel.mediaId);
    if (!row) return [`the transcript of ${reel.code} is lost`];
    if (row.text !== transcript) return [`the transcript of ${reel.code} has changed`];
    const missing = [...holders].filter((id) => !row.holders.includes(id));
    return missing.length > 0 ? [`${reel.code} is missing in the library of ${missing.join(", ")}`] : [];
  });
}

/** Reads some transcripts again, and the usage of each account, as callers see them. */
async function answers(
  { ledger, accounts, apis }: World,
  state: Awaited<ReturnType<typeof readState>>,
  callers: Callers,
  random: Random,
): Promise<string[]> {
  const api = random.pick(apis());
  const broken: string[] = [];
  for (const { reel, transcript, holders } of random.shuffled(ledger.transcripts()).slice(0, sample)) {
    const account = Object.values(accounts).find(({ id }) => holders.has(id))!;
    const { status, body } = await callers.transcribe(api, account, reel);
    if (status !== 200 || !body.cached || body.transcript !== transcript)
      broken.push(`${reel.code} is not answered from the cache: ${status}`);
  }
  const used = new Map(state.counts.map((row) => [row.account_id, row.used]));
  for (const { id, name, key } of Object.values(accounts)) {
    const { body } = await callers.send(api, "/api/v1/usage", { key });
    if (body?.transcriptions?.used !== (used.get(id) ?? 0))
      broken.push(`${name} reads ${body?.transcriptions?.used} used, and ${used.get(id) ?? 0} are`);
  }
  return broken;
}

function leftovers({ members }: World): string[] {
  return members.flatMap((member) => {
    const processes = member.leaders().flatMap(sessionOf);
    const strangers = processes.filter(
      (one) => one.processId !== member.processId && (one.state === "Z" || isDecoder(one) || !isKept(one)),
    );
    const old = processes.filter(({ session }) => session !== member.processId);
    const recognizers = processes.filter(isRecognizer);
    return [
      ...[...new Set([...strangers, ...old])].map(
        ({ command, state }) => `${member.name} left a process behind (${state} ${command.slice(0, 80)})`,
      ),
      ...(recognizers.length > 1 ? [`${member.name} has ${recognizers.length} recognizers`] : []),
      ...filesOf(member).map((file) => `${member.name} left ${file} behind`),
    ];
  });
}

/** Files in the folders for work and for temporary files, except the signs of living processes. */
function filesOf({ dataDirectory, temporary, isUp }: Member): string[] {
  const list = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });
  const work = list(path.join(dataDirectory, "work"));
  const folders = work.filter((one) => one.isDirectory()).length;
  const files = [
    ...work.filter((one) => one.isFile() && one.name !== "alive"),
    ...list(temporary).filter((one) => one.isFile()),
  ];
  return [...files.map(({ name }) => name), ...(folders > (isUp ? 1 : 0) ? [`${folders} folders`] : [])];
}
