import type pg from "pg";
import { isUnanswered } from "../transaction.ts";

/** When one connection is given up because nothing answers, idle ones are as old: closes them, so that no other caller has to find out. */
export function dropSilent(pool: pg.Pool): void {
  const idle = new Set<pg.Client>();
  pool.on("acquire", (client) => idle.delete(client as unknown as pg.Client));
  pool.on("remove", (client) => idle.delete(client as unknown as pg.Client));
  pool.on("release", (error: unknown, client) => {
    if (!error) return void idle.add(client as unknown as pg.Client);
    if (error !== true && !isUnanswered(error)) return;
    for (const silent of idle) silent.connection.stream.destroy();
  });
}
