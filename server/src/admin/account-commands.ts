import { keysPerAccount, PlanName, plans } from "@reelscript/contract";
import * as z from "zod";
import { createApiKey, isExpired } from "../callers/authenticate.ts";
import type { Account, ApiKey } from "../ports.ts";
import { accountUses } from "../features/operator/account-use.ts";
import { postAllowanceOf } from "../rules/allowance.ts";
import { AdminError, printable } from "./admin-error.ts";
import { inviteByMail } from "../start/invite.ts";
import { alignedTable, field, labeledLines, lineField, moment, storeCommand } from "./command.ts";
import { decision } from "./moderation-commands.ts";

const id = z.string().min(1).max(64);
const email = z.email({ error: "must be an email address" }).max(254);
export const accountField = field("id", "The account's id", id);

export const noAccount = (given: string): AdminError =>
  new AdminError("refused", `no account has the id ${printable(given)}; account list shows the ids of accounts`);

const viewAccount = ({ id: accountId, email, plan, createdAt, suspendedAt }: Account) => ({
  id: accountId,
  email,
  plan,
  createdAt,
  suspendedAt,
});

const viewKey = ({ address: _address, ...key }: ApiKey, now: Date) => ({ ...key, expired: isExpired(key, now) });

interface KeyState {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly expired: boolean;
  readonly readOnly: boolean;
}

function stateOf({ revokedAt, expiresAt, expired, readOnly }: KeyState): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString().slice(0, 10)}`;
  const kind = readOnly ? "live, read-only" : "live";
  if (expiresAt === null) return kind;
  return expired ? `expired ${moment(expiresAt)}` : `${kind}, until ${moment(expiresAt)}`;
}

export const accountCommands = [
  storeCommand({
    words: "account create",
    summary: "Create an account; its id is alone on the last line",
    fields: {
      email: field("address", "Email address of its owner", email),
      plan: field(Object.keys(plans).join("|"), "Its plan (free unless given)", PlanName.default("free")),
    },
    example: "account create --email ada@example.org --plan hobby",
    run: async ({ email, plan }, { store, clock }) =>
      viewAccount(await store.accounts.create({ email, plan, now: clock.now() })),
    text: ({ id: accountId, email, plan, createdAt }) =>
      `${labeledLines({ Account: email, Plan: plan, Created: moment(createdAt) })}\n\n${accountId}`,
  }),
  storeCommand({
    words: "account invite",
    summary: "Print a link with which a person sets a password, for a new account or a forgotten one (AUTH=password)",
    fields: {
      email: field("address", "Email address with which the person signs in", email),
      plan: field(Object.keys(plans).join("|"), "Plan of a new account (free unless given)", PlanName.default("free")),
      by: field(
        "name",
        "Name of the person who sends the invitation, for the audit log (default: operator)",
        lineField(100).default("operator"),
      ),
      reason: field("text", "Why; kept in the audit log", lineField(500).default("invited")),
    },
    example: "account invite --email ada@example.org --plan creator --by grace",
    async run(invited, { store, clock, mailer, invitationSite: site }) {
      if (site === undefined)
        throw new AdminError("refused", "people don't sign in by password here; set AUTH=password for invitations");
      const {
        account,
        email: address,
        isReset,
        expiresAt,
        link,
        isMailed = null,
      } = await inviteByMail({ passwords: store.passwords, clock, site, mailer }, invited);
      return { id: account.id, email: address, plan: account.plan, isReset, expiresAt, isMailed, link };
    },
    text: ({ id: accountId, email: address, plan, isReset, expiresAt, isMailed, link }) =>
      [
        labeledLines({ Account: accountId, Email: address, Plan: plan, Until: moment(expiresAt) }),
        ...(isMailed === null
          ? []
          : [isMailed ? `The link was mailed to ${address}.` : "The link could not be mailed; check says why."]),
        isReset
          ? `It sets a new password, once, and ends the account's sessions. ${isMailed ? "Should the mail get lost" : "Send it to its owner"}:`
          : `It sets the password, once. ${isMailed ? "Should the mail get lost" : "Send it to its owner"}:`,
        link,
      ].join("\n\n"),
  }),
  storeCommand({
    words: "account list",
    summary: "List the accounts, oldest first, a page at a time",
    fields: {
      limit: field(
        "count",
        "Accounts per page (default 100, maximum 1000)",
        z.coerce.number().int().min(1).max(1_000).default(100),
      ),
      after: field("id", "Continue after this account, the last one of the previous page", id.optional()),
      search: field(
        "text",
        "Only accounts whose email address begins with it, by address; or the account with this id",
        lineField(254).optional(),
      ),
    },
    example: "account list --limit 20",
    async run({ limit, after, search }, { store }) {
      if (after !== undefined && (await store.accounts.find(after)) === undefined) throw noAccount(after);
      const rows = await store.accounts.list({ limit: limit + 1, after, search });
      const accounts = rows.slice(0, limit).map(viewAccount);
      return { accounts, next: rows.length > limit ? accounts.at(-1)!.id : null };
    },
    text: ({ accounts, next }) =>
      accounts.length === 0
        ? "No accounts yet. Create one with account create."
        : [
            alignedTable(
              ["ID", "EMAIL", "PLAN", "CREATED", ""],
              accounts.map(({ id: accountId, email, plan, createdAt, suspendedAt }) => [
                accountId,
                email,
                plan,
                moment(createdAt),
                suspendedAt === undefined ? "" : "suspended",
              ]),
            ),
            ...(next === null ? [] : [`There are more: account list --after ${next}`]),
          ].join("\n\n"),
  }),
  storeCommand({
    words: "account plan",
    summary: "Change the plan of an account that doesn't pay for one",
    fields: {
      account: field("account id", "The account's id, as account list shows it", id),
      plan: field(Object.keys(plans).join("|"), "Its new plan", PlanName),
      ...decision,
    },
    operand: "account",
    example: 'account plan acc_… --plan creator --reason "partner" --by ada',
    async run({ account, plan, by, reason }, { store, clock }) {
      const changed = await store.accounts.changePlan(account, plan, { by, reason, now: clock.now() });
      if (changed === "noAccount") throw noAccount(account);
      if (changed === "subscribed")
        throw new AdminError(
          "refused",
          `${account} pays for its plan by a subscription; change or cancel that at Stripe, and the plan follows`,
        );
      return viewAccount(changed);
    },
    text: ({ id: accountId, plan }) =>
      `${accountId} is on ${plan}. What it used in a month that has begun stays counted.`,
  }),
  storeCommand({
    words: "account usage",
    summary: "Show what an account has used of its plan, by the slots of its keys",
    fields: { account: field("account id", "The account's id, as account list shows it", id) },
    operand: "account",
    example: "account usage acc_…",
    async run({ account: accountId }, { store, clock }) {
      const account = await store.accounts.find(accountId);
      if (account === undefined) throw noAccount(accountId);
      const now = clock.now();
      const { limit, resetsAt, slots } = (await accountUses(store.allowances, [account], now)).get(accountId)!; // safe: it is asked for
      const posts = postAllowanceOf(account, now);
      return {
        id: accountId,
        plan: account.plan,
        limit,
        resetsAt,
        slots,
        posts: { used: await store.reports.postsUsed(accountId, posts.period), limit: posts.limit },
      };
    },
    text: ({ id: accountId, plan, limit, resetsAt, slots, posts }) =>
      [
        labeledLines({
          Account: accountId,
          Plan: plan,
          Reports: `${posts.used} of ${posts.limit} reels analyzed`,
          Resets: resetsAt === null ? "never" : moment(resetsAt),
        }),
        alignedTable(
          ["SLOT", "TRANSCRIPTIONS", "HELD"],
          slots.map(({ slot, used, held }) => [String(slot), `${used} of ${limit}`, String(held)]),
        ),
        "Slot 0 is the dashboard, or with QUOTA_SCOPE=account the whole account. Held units belong to reels in the queue.",
      ].join("\n\n"),
  }),
  storeCommand({
    words: "key create",
    summary: "Create an API key; it is shown once, alone on the last line",
    fields: {
      account: accountField,
      name: field("text", "What it is for (key unless given)", lineField(60).default("key")),
      "read-only": field(undefined, "It can list, read and search, but change nothing", z.literal("true").optional()),
      expires: field(
        "day",
        "Day on which it stops working, in UTC (default: never)",
        z.iso.date({ error: "must be a day such as 2027-01-31" }).optional(),
      ),
    },
    example: "key create --account acc_… --name laptop --expires 2027-01-31",
    async run({ account, name, expires, "read-only": readOnly }, { store, clock }) {
      const { key, hash, lastFour } = createApiKey();
      const now = clock.now();
      const expiresAt = expires === undefined ? undefined : new Date(expires);
      if (expiresAt !== undefined && expiresAt <= now) throw new AdminError("usage", "--expires must be in the future");
      const owned = { accountId: account, name, hash, lastFour };
      const newKey = await store.keys.create({ ...owned, expiresAt, readOnly: readOnly !== undefined, now });
      if (newKey === "noAccount") throw noAccount(account);
      if (newKey === "full")
        throw new AdminError(
          "refused",
          `${account} has ${keysPerAccount} active keys, which is the limit. Revoke one first (key list --account ${account}, then key revoke <id>)`,
        );
      return { ...viewKey(newKey, now), key };
    },
    text: (newKey) =>
      [
        labeledLines({
          Key: newKey.id,
          Account: newKey.accountId,
          Name: newKey.name,
          Slot: String(newKey.slot),
          State: stateOf(newKey),
        }),
        "This is the key. It is shown only once, and kept only as a hash:",
        newKey.key,
      ].join("\n\n"),
  }),
  storeCommand({
    words: "key list",
    summary: "List the keys of an account",
    fields: { account: accountField },
    example: "key list --account acc_…",
    async run({ account }, { store, clock }) {
      if ((await store.accounts.find(account)) === undefined) throw noAccount(account);
      const now = clock.now();
      return { keys: (await store.keys.list(account)).map((key) => viewKey(key, now)) };
    },
    text: ({ keys }) =>
      keys.length === 0
        ? "No keys yet. Create one with key create."
        : alignedTable(
            ["ID", "NAME", "KEY", "SLOT", "STATE", "CREATED", "LAST USED"],
            keys.map((key) => [
              key.id,
              key.name,
              `…${key.lastFour}`,
              String(key.slot),
              stateOf(key),
              moment(key.createdAt),
              moment(key.lastUsedAt),
            ]),
          ),
  }),
  storeCommand({
    words: "key revoke",
    summary: "Revoke a key immediately",
    fields: { key: field("key id", "The key's id, as key list shows it", id) },
    operand: "key",
    example: "key revoke key_…",
    async run({ key }, { store, clock }) {
      if (await store.keys.revoke(key, clock.now())) return { id: key };
      throw new AdminError(
        "refused",
        `no active key has the id ${printable(key)}; key list --account <id> shows the ids of keys`,
      );
    },
    text: ({ id: keyId }) => `${keyId} is revoked. It no longer works.`,
  }),
];
