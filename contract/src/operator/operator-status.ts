import * as z from "zod";
import { ofOperator, operation } from "../operation.ts";

const moment = z.iso.datetime();

const ServicePart = z
  .object({
    part: z.string().meta({ description: "Name of the part, such as `database` or `workers`." }),
    state: z.enum(["ok", "note", "away", "wrong"]).meta({
      description:
        "State of the part: `wrong` if waiting doesn't help, `away` if it doesn't answer, `note` if it works but may surprise you.",
    }),
    text: z.string().meta({ description: "Finding in sentences, with the remedy if there is one." }),
  })
  .meta({ id: "ServicePart" });

export const getServiceStatus = operation({
  ...ofOperator,
  summary: "Get the state of the service",
  description: "Returns the state of each part in words, the version, the tables, and the last backup that is known.",
  http: { method: "GET", path: "/admin/status" },
  output: z.object({
    parts: z.array(ServicePart),
    version: z.string(),
    tables: z.object({
      newest: z.object({ name: z.string(), appliedAt: moment }).meta({ description: "The last applied migration." }),
      pending: z.array(z.string()).meta({ description: "Migrations of this release that the database lacks." }),
      newer: z.array(z.string()).meta({ description: "Migrations of a newer release that was here." }),
      oldestRelease: z.string().nullable().meta({
        description:
          "The last migration of the earliest release that starts on these tables; null if none before this one does.",
      }),
    }),
    lastBackupAt: moment.nullable().meta({ description: "Time of the last backup; null if none is known." }),
    invites: z.boolean().meta({ description: "Whether people sign in by password, with an invitation." }),
  }),
});

const AuditEntry = z
  .object({
    at: moment,
    by: z.string().meta({ description: "Name of the operator who did it." }),
    action: z.string().meta({ description: "Name of the action, such as `suspendAccount`." }),
    subject: z.string().meta({ description: "The account, reel, page or transcription that it was about." }),
    email: z.string().nullable().meta({ description: "Address of the account that it was about, if it was one." }),
    reason: z.string(),
  })
  .meta({ id: "AuditEntry" });

export const listAudit = operation({
  ...ofOperator,
  summary: "List what operators did",
  description: "Returns takedowns, suspensions, plans, invitations and changes of the queue, newest first.",
  http: { method: "GET", path: "/admin/audit" },
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(25) }),
  output: z.object({ entries: z.array(AuditEntry) }),
  example: { limit: 25 },
});
