import { setTimeout as pause } from "node:timers/promises";
import { isReady } from "../scripts/processes/start-program.ts";
import type { ThrowawayPostgres } from "../scripts/processes/throwaway-postgres.ts";
import { alterSystem, ask, freezeServer } from "./database-faults.ts";
import type { World } from "./open-world.ts";
import { rollReleases, runSideBySide } from "./roll-releases.ts";
import type { Fault, Round } from "./run-round.ts";
import { startLoad } from "./start-load.ts";
import { type Proxies, startProxies } from "./start-proxies.ts";
import { until, within } from "./waiting.ts";

interface Operation {
  readonly run: (round: Round, front: Proxies) => Promise<void>;
  readonly proxies?: number;
  /** Nobody can serve callers for a while. */
  readonly mayRefuse?: boolean;
  readonly seconds?: number;
}

const calmSeconds = 2;
/** Longer than a failed replica is avoided. */
const troubleSeconds = 13;
const noticeSeconds = 3;

/** Events that operators cause or suffer while callers call. */
const operations: Readonly<Record<string, Operation>> = {
  "rolling restart": { run: restartAll },
  "rolling restart behind two proxies": { run: restartAll, proxies: 2 },
  "releases roll forward, back and forward": { run: rollReleases, seconds: 900 },
  "releases side by side": { run: runSideBySide, seconds: 900 },
  "replica dies": { run: loseReplica },
  "replica stalls": { run: silenceReplica },
  "replica lags": { run: letLag },
  "object storage cut": { run: (round) => loseStorage(round, "cut") },
  "object storage silent": { run: (round) => loseStorage(round, "silence") },
  "failover from a dead primary": { run: (round) => failOver(round, loseServer), mayRefuse: true },
  "failover from a silent primary": { run: (round) => failOver(round, silenceServer), mayRefuse: true },
};

export const operationFaults: Fault[] = Object.entries(operations).map(([name, operation]) => ({
  name: `operation ${name}`,
  seconds: operation.seconds ?? 300,
  run: (round) => operate(round, operation),
}));

async function operate(round: Round, { run, proxies = 1, mayRefuse = false }: Operation): Promise<void> {
  const front = await startProxies(round.world, { count: proxies });
  round.undo(() => front.close());
  const load = await startLoad(round, front.url);
  let over: ReturnType<typeof load.stop> | undefined;
  const stop = () => (over ??= load.stop());
  round.undo(stop);
  await pause(calmSeconds * 1_000);
  await run(round, front);
  await pause(calmSeconds * 1_000);
  const { callCount, failed, refused, stale, started, lost, gap, kinds } = await stop();
  round.note(
    `${callCount} calls, ${failed} failed, ${refused} refused, ${stale} stale; ${started} reels started, ${lost} lost; at most ${gap.toFixed(1)} s without an answer`,
  );
  for (const [kind, { calls, failed: failures, refused: refusals }] of kinds)
    round.note(`${kind.padEnd(20)} ${String(calls).padStart(6)} calls, ${failures} failed, ${refusals} refused`);
  if (stale > 0) round.broken(`${stale} lists lacked what their callers had just got`);
  if (lost > 0) round.broken(`${lost} of ${started} transcriptions that were taken never came to an end`);
  if (refused > 0 && !mayRefuse) round.broken(`${refused} of ${callCount} calls were refused`);
}

async function restartAll({ world }: Round, front: Proxies): Promise<void> {
  for (const member of world.members) {
    await member.stop();
    await member.start();
    await front.knowAll();
  }
}

async function loseReplica({ world, undo }: Round): Promise<void> {
  const replica = world.servers.replica!;
  await replica.stop();
  undo(() => replica.start().catch(() => undefined));
  await pause(troubleSeconds * 1_000);
  await replica.start();
}

async function silenceReplica({ world, undo }: Round): Promise<void> {
  const ways = world.members.map(({ readWay }) => readWay!);
  const open = (): void => ways.forEach((way) => way.open());
  for (const way of ways) way.silence();
  undo(open);
  await pause(troubleSeconds * 1_000);
  open();
}

async function letLag({ world, undo }: Round): Promise<void> {
  const replica = world.servers.replica!;
  await ask(replica, "select pg_wal_replay_pause()");
  const resume = () => ask(replica, "select pg_wal_replay_resume()");
  undo(resume);
  await pause(troubleSeconds * 1_000);
  await resume();
}

/** Pictures that are there can't be read meanwhile; new ones are kept elsewhere. */
async function loseStorage({ world, callers, undo, broken }: Round, trouble: "cut" | "silence"): Promise<void> {
  const api = world.apis()[0]!;
  const { key } = world.accounts.ben;
  const picture = async (): Promise<string> => {
    const { url } = await world.addReel("shortest");
    const { body } = await callers.send(api, `/api/v1/reels/resolve?url=${encodeURIComponent(url)}`, { key });
    return `${api.url}${new URL(String(body.thumbnail.url)).pathname}`;
  };
  const statusOf = (url: string): Promise<number> =>
    within(
      20 * world.patience,
      "a picture is answered",
      fetch(url).then(({ status }) => status),
    );
  const before = await picture();
  if ((await statusOf(before)) !== 200) broken("a picture was not served");
  world.storage.way[trouble]();
  undo(() => world.storage.way.open());
  const during = await picture();
  const there = await statusOf(during);
  const away = await statusOf(before);
  if (there !== 200) broken(`a picture that came meanwhile is answered with ${there}`);
  if (away !== 503) broken(`a picture in the object storage is answered with ${away} while that is away`);
  await pause(troubleSeconds * 1_000);
  world.storage.way.open();
  for (const url of [before, during])
    await until(20 * world.patience, "pictures are back", async () => (await statusOf(url)) === 200);
}

/** The replica takes over, and gets a replica of its own. Nothing is committed before that is ready. */
async function failOver(
  { world, note }: Round,
  lose: (world: World, server: ThrowawayPostgres) => Promise<() => Promise<void> | void>,
): Promise<void> {
  const { servers, members } = world;
  const primary = servers.primary!;
  const replica = servers.replica!;
  await alterSystem(primary, "synchronous_standby_names", "'*'");
  const from = performance.now();
  const bury = await lose(world, primary);
  await pause(noticeSeconds * 1_000);
  await replica.promote();
  servers.primary = replica;
  for (const { way } of members) {
    way!.lead(replica.port);
    way!.open();
  }
  const promoted = performance.now();

  await until(60 * world.patience, "all are ready", async () =>
    (await Promise.all(world.apis().map(isReady))).every(Boolean),
  );
  const seconds = (moment: number): string => ((moment - from) / 1_000).toFixed(1);
  note(`promoted after ${seconds(promoted)} s, ready after ${seconds(performance.now())} s`);
  await bury();
  servers.replica = await replica.startReplica(`replica-of-${replica.port}`);
  for (const { readWay } of members) {
    readWay!.lead(servers.replica.port);
    readWay!.cut();
    readWay!.open();
  }
}

async function loseServer(_world: World, server: ThrowawayPostgres): Promise<() => void> {
  await server.stop("immediate");
  return () => undefined;
}

async function silenceServer({ members }: World, server: ThrowawayPostgres): Promise<() => Promise<void>> {
  const thaw = await freezeServer(server);
  for (const { way } of members) way!.silence();
  return async () => {
    thaw();
    await server.stop("immediate");
  };
}
