import { ServiceError } from "@reelscript/contract";
import { isLost, isUnanswered } from "./statement.ts";

const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
/**
 * Classes of SQL states: connection exceptions; the wrong moment for a transaction, such as on a server that became read-only
 * as a standby, or after the client was idle for too long; insufficient resources; operator intervention.
 */
const stateClasses = new Set(["08", "25", "53", "57"]);
const messages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|connection error|not queryable|query read timeout/iu;

/** The error code of PostgreSQL (SQLSTATE) or of the system. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/**
 * The server lets nobody in: the password was changed, the role lost its rights, or the database has another name while a backup
 * is restored. Only an operator can fix it, so callers should come back later.
 */
const refusesEntry = (error: unknown): boolean => /^(?:28...|3D000|42501)$/u.test(codeOf(error) ?? "");

export const isAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error) ?? "";
  if (systemCodes.has(code)) return true;
  if (/^[0-9A-Z]{5}$/u.test(code)) return isLost(error) || stateClasses.has(code.slice(0, 2));
  return isUnanswered(error) || messages.test(error.message);
};

export const accountDeleted = (cause?: unknown): ServiceError =>
  new ServiceError("unauthorized", "This account was deleted.", { reason: "accountDeleted", cause });

/** The account was deleted after the call began. */
const isOfDeletedAccount = (error: unknown): boolean =>
  error instanceof Error &&
  "constraint" in error &&
  typeof error.constraint === "string" &&
  /_(?:account_id|owner)_fkey$/u.test(error.constraint);

const translate = (error: unknown): never => {
  if (isOfDeletedAccount(error)) throw accountDeleted(error);
  if (!isAway(error) && !refusesEntry(error)) throw error;
  throw new ServiceError("unavailable", "The database is unavailable right now. Try again shortly.", {
    reason: "databaseUnavailable",
    retryAfter: 5,
    cause: error,
  });
};

type Methods<Port> = { readonly [Name in keyof Port]: (...parameters: never[]) => Promise<unknown> };

/** Wraps the ports so that their methods throw a `ServiceError` when the database is down. */
export const eachWithUnavailable = <Ports extends { readonly [Name in keyof Ports]: Methods<Ports[Name]> }>(
  ports: Ports,
): Ports => mapValues(ports, withUnavailable) as Ports;

const withUnavailable = (port: object): object =>
  mapValues(port, (method) => {
    const call = method as (...parameters: unknown[]) => Promise<unknown>;
    return (...parameters: unknown[]) => call(...parameters).catch(translate);
  });

const mapValues = (record: object, map: (value: object) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, object]) => [name, map(value)]));
