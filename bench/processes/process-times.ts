import { readFile } from "node:fs/promises";
import pg from "pg";
import { processesOfTree } from "./process-memory.ts";

/** Milliseconds that this process has computed. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Linux counts processor time of ended processes in ticks of 10 ms. */
const millisecondsPerTick = 10;

/**
 * Milliseconds that a process and all below it have computed, with what ended below it; Linux only. What is computed by a
 * process that ends while its parent lives is added to its parent's time.
 */
export async function processorTimeOfTree(processId: number): Promise<number> {
  const times = await Promise.all((await processesOfTree(processId)).map(timeOf));
  return times.reduce((sum, time) => sum + time, 0);
}

async function timeOf(id: number): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, "latin1").catch(() => "");
  // The program's name, in brackets, may hold anything. User and system time, own and of children that ended.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * millisecondsPerTick;
}

/** Milliseconds that the server's processes for the store have computed, also those that ended; 0 where the system does not tell. */
export async function processorClock(databaseUrl: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  (client as pg.Client & { unref(): void }).unref();
  const times = new Map<number, number>();
  return async () => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'reelscript'",
    );
    await Promise.all(
      rows.map(async ({ pid }) => {
        const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => undefined);
        if (text !== undefined) times.set(pid, Number(text.split(" ")[0]) / 1e6);
      }),
    );
    return [...times.values()].reduce((sum, time) => sum + time, 0);
  };
}
