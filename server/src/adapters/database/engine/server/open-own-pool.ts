import pg from "pg";
import { defaultServerLimits } from "../engine.ts";
import type { Database } from "../statement.ts";
import { connectionTo, sessionSettings } from "./server-pool.ts";

const patient = { ...defaultServerLimits, connections: 2, statementSeconds: 0 };

/**
 * A few connections for an operator's program, whose statements have no timeout; `name` distinguishes them from the service's.
 */
export const openOwnPool = (databaseUrl: string, name: string): Database =>
  new pg.Pool({
    ...connectionTo(databaseUrl, patient),
    application_name: name,
    max: patient.connections,
    onConnect: async (client) => void (await client.query(sessionSettings(patient.statementSeconds))),
  });
