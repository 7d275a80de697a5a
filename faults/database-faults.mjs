import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { signal } from "./processes.mjs";
import { reachStage, stages } from "./reach-stage.mjs";
import { Impossible } from "./waiting.mjs";

const outageSeconds = 4;
const stallSeconds = 9;

/** What can happen to the server, and its undoing. */
const troubles = {
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
    const first = await postgres.processId();
    const all = [first, ...childrenOf(first)];
    for (const one of all) signal(one, "SIGSTOP");
    try {
      await pause(stallSeconds * 1_000);
    } finally {
      for (const one of all) signal(one, "SIGCONT");
    }
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

/** The server fails while a reel is at each of some stages. */
export const databaseFaults = Object.keys(troubles).flatMap((trouble) =>
  stages.map((stage) => ({
    name: `database ${trouble} ${stage}`,
    run: (round) => runTrouble(round, trouble, stage),
  })),
);

async function runTrouble(round, trouble, stage) {
  const { world } = round;
  if (!world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const scene = await reachStage(stage, round);
  round.undo(() => scene.letGo());
  const over = troubles[trouble](world);
  await scene.letGo();
  await over;
  await round.served(scene);
}

/** As a server is that was the first one before another took over: it answers, and refuses to write. */
async function setReadOnly({ databaseUrl }, isReadOnly) {
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: 10_000 });
  await client.connect();
  try {
    await client.query("set default_transaction_read_only = off");
    await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
    await client.query("select pg_reload_conf()");
  } finally {
    await client.end();
  }
}

function childrenOf(parent) {
  return readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").trim().split(" "))
    .filter(Boolean)
    .map(Number);
}
