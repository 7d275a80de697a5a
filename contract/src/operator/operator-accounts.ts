import * as z from "zod";
import { Id, ofOperator, onOne, operation } from "../operation.ts";
import { PlanName } from "../account/usage.ts";
import { Reason } from "./reason.ts";

const OperatedAccount = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    plan: PlanName,
    createdAt: z.iso.datetime(),
    suspendedAt: z.iso.datetime().nullable(),
    transcriptions: z.object({
      used: z.int().min(0).meta({ description: "Units used in this period by all keys and people of the account." }),
      held: z.int().min(0).meta({ description: "Units held by transcriptions in the queue." }),
      limit: z.int().min(0).meta({ description: "Limit of each key, or of the account, as `quotaScope` says." }),
      resetsAt: z.iso.datetime().nullable(),
    }),
  })
  .meta({ id: "OperatedAccount" });

export const listAccounts = operation({
  ...ofOperator,
  summary: "List the accounts",
  description:
    "Returns all accounts, oldest first. With `search`, returns the accounts whose email address begins with the text, by address, or the account with that id.",
  http: { method: "GET", path: "/admin/accounts" },
  input: z.strictObject({
    search: z.string().trim().min(1).max(254).optional().meta({
      description: "The beginning of an email address, or an account's id.",
    }),
    cursor: Id.optional().meta({ description: "The `nextCursor` of the previous page." }),
    limit: z.coerce.number().int().min(1).max(50).default(25),
  }),
  output: z.object({
    accounts: z.array(OperatedAccount),
    quotaScope: z
      .enum(["key", "account"])
      .meta({ description: "Whether each key has the limit, or all keys of an account share it." }),
    nextCursor: z.string().nullable(),
  }),
  example: { search: "ada@" },
});

const change = {
  ...ofOperator,
  errors: ["notFound" as const],
};
const onAccount = { input: z.strictObject({ id: Id, reason: Reason }), output: onOne("acc").output };
const exampleId = "acc_4Tz8Qm1Lw0XcVb7K";

export const changeAccountPlan = operation({
  ...change,
  summary: "Change an account's plan",
  description: "Sets the plan of an account that doesn't pay for one. Its use in a month that has begun stays counted.",
  http: { method: "POST", path: "/admin/accounts/{id}/plan" },
  input: z.strictObject({ id: Id, plan: PlanName, reason: Reason }),
  output: z.object({ id: z.string(), plan: PlanName }),
  example: { id: exampleId, plan: "creator", reason: "partner" },
});

export const suspendAccount = operation({
  ...change,
  ...onAccount,
  summary: "Suspend an account",
  description: "Refuses its keys and sessions, and ends its running work, until it is unsuspended.",
  http: { method: "POST", path: "/admin/accounts/{id}/suspend" },
  example: { id: exampleId, reason: "floods the queue" },
});

export const unsuspendAccount = operation({
  ...change,
  ...onAccount,
  summary: "Unsuspend an account",
  description: "Lets the account work again, with the keys and sessions that it had.",
  http: { method: "POST", path: "/admin/accounts/{id}/unsuspend" },
  example: { id: exampleId, reason: "settled" },
});

export const inviteAccount = operation({
  ...ofOperator,
  summary: "Invite somebody",
  description:
    "Returns a link that sets a password once, for a new account, or a new password for the account with this address, whose sessions it ends.",
  http: { method: "POST", path: "/admin/invitations" },
  input: z.strictObject({
    email: z.email({ error: "must be an email address" }).max(254),
    plan: PlanName.default("free").meta({ description: "Plan of a new account." }),
    reason: Reason.default("invited"),
  }),
  output: z.object({
    id: z.string(),
    email: z.string(),
    plan: PlanName,
    isReset: z.boolean().meta({ description: "True if the account has a password, which the link replaces." }),
    expiresAt: z.iso.datetime(),
    isMailed: z.boolean().nullable().meta({
      description: "Whether the link was mailed to the person; null if this service sends no mail.",
    }),
    link: z.url(),
  }),
  example: { email: "ada@example.com", plan: "creator", reason: "new in the team" },
});
