import pg from "pg";
import { defaultServerLimits } from "../engine.ts";
import type { Database } from "../statement.ts";
import { connectionTo, sessionSettings } from "./server-pool.ts";

const patient = { ...defaultServerLimits, connections: 2, statementSeconds: 0 };

/** A few connections for a program of the operator, whose statements take as long as they need; `name` tells them from a service's. */
export const openOwnPool = (databaseUrl: string, name: string): Database =>
  new pg.Pool({
    ...connectionTo(databaseUrl, patient),
    application_name: name,
    max: patient.connections,
    onConnect: async (client) => void (await client.query(sessionSettings(patient.statementSeconds))),
  });
