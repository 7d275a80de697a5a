import * as z from "zod";
import { ofPerson, onOne, operation } from "../operation.ts";
import { PlanName } from "./usage.ts";

const Session = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime().meta({ description: "Time at which the person signed in or connected the extension." }),
    lastUsedAt: z.iso.datetime().meta({ description: "Time of the last request, updated at most once a minute." }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: "Time at which the session expires; unused sessions expire earlier." }),
    kind: z
      .enum(["browser", "extension"])
      .meta({ description: "Kind of the session: a browser or a connected extension." }),
    browser: z
      .string()
      .nullable()
      .meta({ description: "Browser and system as reported by the browser; null if it didn't report them." }),
    current: z.boolean().meta({ description: "Whether this is the session of the request." }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

/** An account as its own person sees it. */
export const SignedInAccount = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable().meta({ description: "The person's name from the identity provider; null without one." }),
  plan: PlanName,
  createdAt: z.iso.datetime(),
});

export const getSession = operation({
  ...ofPerson,
  summary: "Get the signed-in person",
  description: "The account that the session belongs to, and the session itself.",
  http: { method: "GET", path: "/session" },
  output: z.object({
    account: SignedInAccount,
    session: Session,
    sampleReelUrl: z
      .url()
      .optional()
      .meta({ description: "A reel to try on the simulated platform; absent without one." }),
    isOperator: z.boolean().optional().meta({ description: "True if the account operates the service." }),
  }),
});

export const listSessions = operation({
  ...ofPerson,
  summary: "List the sessions",
  description: "Active sign-ins and connected extensions, last used first.",
  http: { method: "GET", path: "/sessions" },
  output: z.object({ sessions: z.array(Session) }),
});

export const revokeSession = operation({
  ...ofPerson,
  ...onOne("ses"),
  summary: "End a session",
  description: "Signs the person out there, or disconnects the extension. Takes effect immediately.",
  http: { method: "DELETE", path: "/sessions/{id}" },
});

export const revokeOtherSessions = operation({
  ...ofPerson,
  summary: "End all other sessions",
  description: "Signs the person out everywhere but here and disconnects all extensions. Takes effect immediately.",
  http: { method: "DELETE", path: "/sessions" },
  output: z.object({ revoked: z.int().min(0) }),
});
