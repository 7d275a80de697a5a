import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { childrenOf, signal } from "../scripts/processes/process-table.ts";
import { reachStage, type Stage, stages } from "./reach-stage.ts";
import type { ThrowawayPostgres } from "../scripts/processes/throwaway-postgres.ts";
import type { World } from "./open-world.ts";
import type { Fault, Round } from "./run-round.ts";
import { Impossible } from "./waiting.ts";

const outageSeconds = 4;
const stallSeconds = 9;

/** Freezes all processes of a server; returns a function that thaws them. */
export async function freezeServer(server: ThrowawayPostgres): Promise<() => void> {
  const first = await server.processId();
  const all = [first, ...childrenOf(first)];
  for (const one of all) signal(one, "SIGSTOP");
  return () => {
    for (const one of all) signal(one, "SIGCONT");
  };
}

/** Faults of the server, each with the step that undoes it. */
const troubles: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async crash({ postgres }) {
    await postgres.stop("immediate");
    await pause(outageSeconds * 1_000);
    await postgres.start();
  },
  async restart({ postgres }) {
    await postgres.stop("fast");
    await postgres.start();
  },
  async stall({ postgres }) {
    const thaw = await freezeServer(postgres);
    await pause(stallSeconds * 1_000).finally(thaw);
  },
  async "read-only"({ query, postgres }) {
    await setReadOnly(postgres, true);
    try {
      await query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reelscript'");
      await pause(outageSeconds * 1_000);
    } finally {
      await setReadOnly(postgres, false);
    }
    await query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reelscript'");
  },
};

/** The server fails while reels are at several stages. */
export const databaseFaults: Fault[] = Object.entries(troubles).flatMap(([name, trouble]) =>
  stages.map((stage) => ({ name: `database ${name} ${stage}`, run: (round) => runTrouble(round, trouble, stage) })),
);

async function runTrouble(round: Round, trouble: (world: World) => Promise<void>, stage: Stage): Promise<void> {
  const { world } = round;
  if (!world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const scene = await reachStage(stage, round);
  const over = trouble(world);
  await scene.letGo();
  await over;
  await round.served(scene);
}

/** One statement on a server, whichever it is. */
export async function ask({ databaseUrl }: ThrowawayPostgres, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: 10_000 });
  await client.connect();
  try {
    await client.query("set default_transaction_read_only = off");
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export async function alterSystem(server: ThrowawayPostgres, name: string, value: string): Promise<void> {
  await ask(server, `alter system set ${name} = ${value}`);
  await ask(server, "select pg_reload_conf()");
}

/** Behaves like a former primary after a failover: it answers, but refuses to write. */
const setReadOnly = (server: ThrowawayPostgres, isReadOnly: boolean): Promise<void> =>
  alterSystem(server, "default_transaction_read_only", isReadOnly ? "on" : "off");
