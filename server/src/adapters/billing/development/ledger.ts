import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Plan = z.enum(["hobby", "creator"]);
const Seconds = z.int();

/** Money in cents, moments in Unix seconds, as Stripe counts them. */
const Ledger = z.object({
  customers: z.record(z.string(), z.object({ id: z.string(), balance: z.int() })),
  checkouts: z.record(
    z.string(),
    z.object({
      id: z.string(),
      accountId: z.string(),
      email: z.string(),
      customerId: z.string().nullable(),
      plan: Plan,
      successUrl: z.string(),
      cancelUrl: z.string(),
      declined: z.boolean(),
      subscriptionId: z.string().nullable(),
    }),
  ),
  portals: z.record(
    z.string(),
    z.object({
      id: z.string(),
      customerId: z.string(),
      returnUrl: z.string(),
      change: z.object({ subscriptionId: z.string(), plan: Plan }).nullable(),
      notice: z.string().nullable(),
    }),
  ),
  subscriptions: z.record(
    z.string(),
    z.object({
      /** From where months are counted. */
      anchor: Seconds,
      id: z.string(),
      accountId: z.string(),
      customerId: z.string(),
      plan: Plan,
      status: z.enum(["active", "past_due", "canceled"]),
      created: Seconds,
      periodStart: Seconds,
      periodEnd: Seconds,
      cancelAtPeriodEnd: z.boolean(),
      failsNext: z.boolean(),
    }),
  ),
  /** Oldest first. */
  invoices: z.array(
    z.object({
      id: z.string(),
      subscriptionId: z.string(),
      customerId: z.string(),
      plan: Plan,
      reason: z.enum(["subscription_create", "subscription_cycle", "subscription_update"]),
      status: z.enum(["open", "paid", "void"]),
      created: Seconds,
      paidAt: Seconds.nullable(),
      total: z.int(),
      startingBalance: z.int(),
      endingBalance: z.int(),
      lineStart: Seconds,
      lineEnd: Seconds,
    }),
  ),
});
export type Ledger = z.infer<typeof Ledger>;
export type DevelopmentSubscription = Ledger["subscriptions"][string];
export type DevelopmentInvoice = Ledger["invoices"][number];
export type DevelopmentCheckout = Ledger["checkouts"][string];
export type DevelopmentPortal = Ledger["portals"][string];

/** The books of the development biller, in memory and in their file. */
export interface LedgerFile {
  /** Changed in place; nothing is durable before `save`. */
  readonly ledger: Ledger;
  /** Replaces the file, whole or not at all. Throws if it can't be written. */
  readonly save: () => void;
}

const empty = (): Ledger => ({ customers: {}, checkouts: {}, portals: {}, subscriptions: {}, invoices: [] });

/** The development biller's ledger is a file, because the accounts' plans outlive a restart too. */
export function openLedger(file: string): LedgerFile {
  const ledger = read(file);
  return {
    ledger,
    save() {
      mkdirSync(path.dirname(file), { recursive: true });
      const fresh = `${file}.new`;
      writeFileSync(fresh, JSON.stringify(ledger), { mode: 0o600 });
      renameSync(fresh, file);
    },
  };
}

function read(file: string): Ledger {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return empty();
    throw error;
  }
  try {
    return Ledger.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file}, where the development biller keeps its books, cannot be read; remove it to start over`, {
      cause: error,
    });
  }
}

/** By an id that anybody may have written. */
export const own = <Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined;

/** The id can't be guessed: anyone with the address of a page may use it. */
export const newDevelopmentId = (prefix: string): string => `${prefix}_dev${randomBytes(16).toString("hex")}`;
