import * as z from "zod";
import { Id, ofPerson, onOne, operation } from "../operation.ts";
import { keysPerAccount } from "../values/plans.ts";
import { TranscriptionUsage } from "./usage.ts";

export const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    lastFour: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time of the last use, updated at most once a minute; null before the first use." }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time at which the key stops working; null for never." }),
    readOnly: z
      .boolean()
      .meta({ description: "Whether the key may only read, so that it can't transcribe, change or delete." }),
  })
  .meta({ id: "Key" });
export type Key = z.infer<typeof Key>;

const ofOne = { ...ofPerson, ...onOne("key") };

/** Control characters, line ends, lone surrogates, and marks that change the direction of the text after them. */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const invisible = /^[\p{Cf}\p{Z}]*$/u;

const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((text) => !unshowable.test(text) && !invisible.test(text), {
    error: "must be one line without control characters",
    when: ({ value, issues }) => issues.length === 0 && typeof value === "string",
  })
  .meta({ description: "Name by which you recognize the key, one line." });

export const listKeys = operation({
  ...ofPerson,
  summary: "List the API keys",
  description:
    "The keys and their use, oldest first. Expired keys are included until you revoke them or a new key takes their slot.",
  http: { method: "GET", path: "/keys" },
  output: z.object({
    keys: z.array(Key.extend({ transcriptions: TranscriptionUsage })),
    limit: z.int().meta({ description: "Active keys allowed per account. Expired keys don't count." }),
    quotaScope: z
      .enum(["key", "account"])
      .meta({ description: "Whether each key has its own quota, or all keys share the account's." }),
  }),
});

export const createKey = operation({
  ...ofPerson,
  summary: "Create an API key",
  description: `Creates a key. An account has at most ${keysPerAccount} in use. A new key continues with the use of the slot it takes, which may be that of the key that expired first.`,
  http: { method: "POST", path: "/keys" },
  input: z.strictObject({
    name: KeyName,
    expiresAt: z.iso
      .datetime()
      .optional()
      .meta({ description: "Time in the future at which the key stops working; never if omitted." }),
    readOnly: z.boolean().optional().meta({ description: "Whether the key may only read." }),
  }),
  output: z.object({ key: Key, secret: z.string().meta({ description: "The key itself. We show it only once." }) }),
  errors: ["limitReached"],
  example: { name: "Notebook" },
});

export const renameKey = operation({
  ...ofOne,
  summary: "Rename an API key",
  description: "Changes the key's name. The key itself and its use stay the same.",
  http: { method: "PATCH", path: "/keys/{id}" },
  input: z.strictObject({ id: Id, name: KeyName }),
  output: Key,
  example: { ...ofOne.example, name: "Work laptop" },
});

export const revokeKey = operation({
  ...ofOne,
  summary: "Revoke an API key",
  description: "The key stops working immediately.",
  http: { method: "DELETE", path: "/keys/{id}" },
});

const Program = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: "The program's name for itself; not verified." }),
    address: z.string().meta({ description: "Location of the program: a host, or “this computer”." }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso
      .datetime()
      .meta({ description: "Time at which the program is disconnected unless it is used before." }),
    readOnly: z.boolean(),
    transcriptions: TranscriptionUsage,
  })
  .meta({ id: "Program" });

export const listPrograms = operation({
  ...ofPerson,
  summary: "List the connected programs",
  description: "Programs that may act for you over MCP, oldest first. Each uses a key's slot.",
  http: { method: "GET", path: "/programs" },
  output: z.object({ programs: z.array(Program) }),
});

export const disconnectProgram = operation({
  ...ofOne,
  summary: "Disconnect a program",
  description: "The program's tokens stop working immediately.",
  http: { method: "DELETE", path: "/programs/{id}" },
});

/** Number of a key's requests that are kept. */
export const rememberedRequests = 50;

export const listKeyRequests = operation({
  ...ofOne,
  summary: "List the last requests of a key",
  description: `The last ${rememberedRequests} requests over REST and MCP, newest first. A request can take a second to appear.`,
  http: { method: "GET", path: "/keys/{id}/requests" },
  output: z.object({
    key: Key,
    requests: z.array(
      z.object({
        at: z.iso.datetime(),
        operation: z.string().meta({ description: "The operation's id." }),
        door: z.enum(["rest", "mcp"]),
        status: z.int().meta({ description: "HTTP status; for MCP, the status of the same answer over REST." }),
      }),
    ),
  }),
});
