import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./database-faults.ts";
import type { World } from "./open-world.ts";
import type { Fault, Round } from "./run-round.ts";
import { startLoad } from "./start-load.ts";
import { startProxies } from "./start-proxies.ts";
import { Broken, Impossible } from "./waiting.ts";

const role = "reelscript_faults";
const loadSeconds = 4;
const refusedSeconds = 6;

/** The password of the database is wrong at a start, or becomes another one under load. */
export const passwordFaults: Fault[] = [
  { name: "password wrong at the start", run: startWithWrong },
  { name: "password rotated under load", seconds: 400, run: rotate },
];

/** Lets a role in by its password only; the programs themselves are let in as before. */
async function demandPassword({ world, undo }: Round, password: string): Promise<void> {
  if (!world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const { postgres } = world;
  const file = path.join(postgres.data, "pg_hba.conf");
  const former = await readFile(file, "utf8");
  await ask(postgres, `drop role if exists ${role}`);
  await ask(postgres, `create role ${role} superuser login password '${password}'`);
  await writeFile(file, `host all ${role} 127.0.0.1/32 scram-sha-256\n${former}`);
  await ask(postgres, "select pg_reload_conf()");
  undo(async () => {
    await writeFile(file, former);
    await ask(postgres, "select pg_reload_conf()");
  });
}

const urlWith = (url: string, password: string): string =>
  Object.assign(new URL(url), { username: role, password }).href;

/** The settings of a member whose way to the database is this one, with a password; it reads from the primary. */
function settingsWith(world: World, port: number, password: string): Record<string, string> {
  const url = Object.assign(new URL(world.postgres.databaseUrl), { port: String(port) }).href;
  return { DATABASE_URL: urlWith(url, password), DATABASE_READ_URL: "" };
}

async function startWithWrong(round: Round): Promise<void> {
  const { world, undo } = round;
  await demandPassword(round, "right");
  const [, member] = world.apis();
  await member!.stop(); // safe: a fleet has two
  undo(async () => {
    if (!member!.isUp) await member!.start();
  });
  const secret = "wrong-and-secret";
  const failure = await member!.start({ extra: settingsWith(world, member!.way!.port, secret) }).then(
    () => {
      throw new Broken("a process starts with a wrong password");
    },
    (error: unknown) => String(error),
  );
  if (!/password authentication failed/i.test(failure))
    throw new Broken(`a start with a wrong password doesn't say so: ${failure.slice(-300)}`);
  if (failure.includes(secret)) throw new Broken("the wrong password is printed");
  await round.probe({ not: member });
  await member!.start({ extra: settingsWith(world, member!.way!.port, "right") });
  await round.probe();
  await member!.stop();
  await member!.start();
}

async function rotate(round: Round): Promise<void> {
  const { world, undo, note, broken } = round;
  await demandPassword(round, "first");
  const restartAll = async (password: string | undefined): Promise<void> => {
    for (const member of world.members) {
      await member.stop();
      const extra = password === undefined ? {} : settingsWith(world, member.way!.port, password);
      await member.start({ extra });
    }
  };
  undo(() => restartAll(undefined));
  await restartAll("first");
  const front = await startProxies(world, { count: 1 });
  undo(() => front.close());
  const load = await startLoad(round, front.url);
  let over: ReturnType<typeof load.stop> | undefined;
  const stop = () => (over ??= load.stop());
  undo(stop);
  await pause(loadSeconds * 1_000);
  await ask(world.postgres, `alter role ${role} password 'second'`);
  // Connections that are open stay; new ones are refused until the processes know the new password.
  await pause(loadSeconds * 1_000);
  await ask(world.postgres, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await pause(refusedSeconds * 1_000);
  const alive = world.members.filter(({ processId }) => isAlive(processId)).length;
  if (alive < world.members.length) broken(`${world.members.length - alive} processes ended when they were refused`);
  for (const member of world.members) {
    await member.stop();
    await member.start({ extra: settingsWith(world, member.way!.port, "second") });
  }
  // Before the last one knows the password, not all can answer.
  await front.knowAll();
  await pause(loadSeconds * 1_000);
  const { callCount, failed, refused, started, lost } = await stop();
  note(`${callCount} calls, ${failed} failed, ${refused} refused; ${started} reels started, ${lost} lost`);
  if (failed > 0) broken(`${failed} of ${callCount} calls failed instead of being refused`);
  if (lost > 0) broken(`${lost} of ${started} transcriptions that were taken never came to an end`);
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
