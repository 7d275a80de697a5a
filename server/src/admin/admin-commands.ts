import { keysPerAccount, PlanName, ReelCollection, ServiceError } from "@reelscript/contract";
import * as z from "zod";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import { createApiKey } from "../callers/api-key.ts";
import { ingestCollection } from "../features/reports/ingest-collection.ts";
import type { Account, ApiKey, Clock, RecognizerVersion, RetranscriptionRun } from "../ports.ts";
import { isExpired } from "../rules/key-expiry.ts";
import { AdminError, printable } from "./admin-error.ts";
import { createModerationHandlers, moderationCommands } from "./moderation-commands.ts";

const AccountView = z.object({
  id: z.string(),
  email: z.string(),
  plan: PlanName,
  createdAt: z.iso.datetime(),
  /** Only when it is suspended. */
  suspendedAt: z.iso.datetime().optional(),
});
const KeyView = z.object({
  id: z.string(),
  accountId: z.string(),
  slot: z.int(),
  name: z.string(),
  lastFour: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  expired: z.boolean(),
  readOnly: z.boolean(),
});
type AccountView = z.infer<typeof AccountView>;
export type KeyView = z.infer<typeof KeyView>;

const RunView = z.object({
  state: z.enum(["running", "stopped", "done"]),
  /** Of the transcripts that are transcribed again, `null` for all that are older than the recognizer. */
  revision: z.int().nullable(),
  total: z.int(),
  replaced: z.int(),
  kept: z.int(),
  failed: z.int(),
  startedAt: z.iso.datetime(),
});
const Selection = z.strictObject({
  revision: z
    .string()
    .regex(/^\d{1,6}$/, { error: "must be a whole number" })
    .transform(Number)
    .optional(),
});

const oneLine = (text: string): boolean => !/\p{Cc}/u.test(text);
const Id = z.string().min(1).max(64);

/** What the operator may do: what each command takes and what it answers, fit for JSON. */
export const adminCommands = {
  accountCreate: {
    input: z.strictObject({
      email: z.email({ error: "must be an email address" }).max(254),
      plan: PlanName.default("free"),
    }),
    output: AccountView,
  },
  accountList: { input: z.strictObject({}), output: z.object({ accounts: z.array(AccountView) }) },
  keyCreate: {
    input: z.strictObject({
      account: Id,
      name: z.string().trim().min(1).max(60).refine(oneLine, { error: "must be one line" }).default("key"),
      "read-only": z.literal("true").optional(),
      expires: z.iso.date({ error: "must be a day such as 2027-01-31" }).optional(),
    }),
    output: KeyView.extend({ /** The key itself, this once. */ key: z.string() }),
  },
  keyList: { input: z.strictObject({ account: Id }), output: z.object({ keys: z.array(KeyView) }) },
  keyRevoke: { input: z.strictObject({ key: Id }), output: z.object({ id: z.string() }) },
  reportImport: {
    input: z.strictObject({ account: Id, collection: ReelCollection }),
    output: z.object({
      id: z.string(),
      handle: z.string(),
      createdAt: z.iso.datetime(),
      reelsAnalyzed: z.int(),
    }),
  },
  retranscribeCount: {
    input: Selection,
    output: z.object({ transcripts: z.int(), model: z.string(), revision: z.int() }),
  },
  retranscribeStart: { input: Selection, output: RunView },
  retranscribeStatus: { input: z.strictObject({}), output: z.object({ run: RunView.nullable() }) },
  retranscribeStop: { input: z.strictObject({}), output: RunView },
  ...moderationCommands,
  backupCreate: { input: z.strictObject({}), output: z.object({ file: z.string() }) },
  backupRestore: {
    input: z.strictObject({ file: z.string().min(1) }),
    output: z.object({
      file: z.string(),
      /** Where the database is that was there before. */ before: z.string().nullable(),
    }),
  },
};

type AdminCommands = typeof adminCommands;
export type AdminCommandName = keyof AdminCommands;
export type AdminOutput<Name extends AdminCommandName> = z.output<AdminCommands[Name]["output"]>;

/** Carries out a command; throws `AdminError`. */
export type Administer = <Name extends AdminCommandName>(name: Name, input: unknown) => Promise<AdminOutput<Name>>;

type Handlers = {
  readonly [Name in AdminCommandName]: (input: z.output<AdminCommands[Name]["input"]>) => Promise<AdminOutput<Name>>;
};

export function createAdminister({
  store,
  clock,
  recognizer,
}: {
  readonly store: OpenedStore;
  readonly clock: Clock;
  /** What the service hears reels with. */
  readonly recognizer: RecognizerVersion;
}): Administer {
  const importReport = ingestCollection({ reports: store.reports, clock });
  const handlers: Handlers = {
    accountCreate: async ({ email, plan }) =>
      viewAccount(await store.accounts.create({ email, plan, now: clock.now() })),
    accountList: async () => ({ accounts: (await store.accounts.list()).map(viewAccount) }),
    keyCreate: (input) => createOwnedKey(store, clock, input),
    keyList: async ({ account }) => {
      if ((await store.accounts.find(account)) === undefined) throw noAccount(account);
      const now = clock.now();
      return { keys: (await store.keys.list(account)).map((key) => viewKey(key, now)) };
    },
    keyRevoke: async ({ key }) => {
      if (await store.keys.revoke(key, clock.now())) return { id: key };
      throw new AdminError(
        "refused",
        `no active key has the id ${printable(key)}; key list --account <id> shows the ids of keys`,
      );
    },
    reportImport: async ({ account, collection }) => {
      const owner = await store.accounts.find(account);
      if (owner === undefined) throw noAccount(account);
      const report = await importReport(owner, collection).catch((error: unknown) => {
        throw error instanceof ServiceError ? new AdminError("refused", error.message, error) : error;
      });
      const { id, handle, createdAt, reelsAnalyzed } = report;
      return { id, handle, createdAt: createdAt.toISOString(), reelsAnalyzed };
    },
    retranscribeCount: async ({ revision = null }) => ({
      transcripts: await store.retranscriptions.count({ revision }, recognizer),
      model: recognizer.model,
      revision: recognizer.revision,
    }),
    retranscribeStart: async ({ revision = null }) => {
      const run = await store.retranscriptions.start({ revision }, recognizer, clock.now());
      if (run === "running")
        throw new AdminError(
          "refused",
          "transcripts are being transcribed again; retranscription status shows its progress, retranscription stop stops it",
        );
      return viewRun(run);
    },
    retranscribeStatus: async () => {
      const run = await store.retranscriptions.find();
      return { run: run === undefined ? null : viewRun(run) };
    },
    retranscribeStop: async () => {
      const run = await store.retranscriptions.stop();
      if (run === undefined) throw new AdminError("refused", "no transcripts are being transcribed again");
      return viewRun(run);
    },
    ...createModerationHandlers({ moderation: store.moderation, clock }),
    backupCreate: async () => ({ file: await store.backUp(clock.now()) }),
    backupRestore: async () => {
      throw new AdminError("refused", "the service is running: stop it, then restore, then start it again");
    },
  };
  return async (name, input) => {
    const handle = handlers[name] as (input: unknown) => Promise<never>; // The input was read by the schema of the same name.
    return handle(readAdminInput(name, input));
  };
}

async function createOwnedKey(
  { keys }: Pick<OpenedStore, "keys">,
  clock: Clock,
  { account, name, expires, "read-only": readOnly }: z.output<AdminCommands["keyCreate"]["input"]>,
): Promise<AdminOutput<"keyCreate">> {
  const { key, hash, lastFour } = createApiKey();
  const now = clock.now();
  const expiresAt = expires === undefined ? undefined : new Date(expires);
  if (expiresAt !== undefined && expiresAt <= now) throw new AdminError("usage", "--expires must be in the future");
  const owned = { accountId: account, name, hash, lastFour };
  const made = await keys.create({ ...owned, expiresAt, readOnly: readOnly !== undefined, now });
  if (made === "noAccount") throw noAccount(account);
  if (made === "full")
    throw new AdminError(
      "refused",
      `${account} holds ${keysPerAccount} live keys, the most an account may; revoke one first (key list --account ${account}, then key revoke <id>)`,
    );
  return { ...viewKey(made, now), key };
}

/** The input of a command with its defaults; throws `AdminError` of kind `usage` that names what is wrong. */
export function readAdminInput(name: AdminCommandName, input: unknown): unknown {
  const read = adminCommands[name].input.safeParse(input);
  if (read.success) return read.data;
  throw new AdminError(
    "usage",
    read.error.issues
      .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
      .join("; "),
  );
}

export const isAdminCommandName = (name: string): name is AdminCommandName => Object.hasOwn(adminCommands, name);

const noAccount = (id: string): AdminError =>
  new AdminError("refused", `no account has the id ${printable(id)}; account list shows the ids of accounts`);

const viewAccount = ({ id, email, plan, createdAt, suspendedAt }: Account): AccountView => ({
  id,
  email,
  plan,
  createdAt: createdAt.toISOString(),
  ...(suspendedAt && { suspendedAt: suspendedAt.toISOString() }),
});

const viewRun = ({
  state,
  revision,
  total,
  replaced,
  kept,
  failed,
  startedAt,
}: RetranscriptionRun): z.infer<typeof RunView> => ({
  state,
  revision,
  total,
  replaced,
  kept,
  failed,
  startedAt: startedAt.toISOString(),
});

const viewKey = (key: ApiKey, now: Date): KeyView => ({
  id: key.id,
  accountId: key.accountId,
  slot: key.slot,
  name: key.name,
  lastFour: key.lastFour,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  expired: isExpired(key, now),
  readOnly: key.readOnly,
});
