import * as z from "zod";
import { ofPerson, onOne, operation } from "../operation.ts";
import { PlanName } from "./usage.ts";

const Session = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime().meta({ description: "When the person signed in, or connected the extension." }),
    lastUsedAt: z.iso.datetime().meta({ description: "Written at most once a minute." }),
    expiresAt: z.iso.datetime().meta({ description: "It ends then, or earlier when it is not used." }),
    kind: z.enum(["browser", "extension"]).meta({ description: "A browser, or a connected extension." }),
    browser: z
      .string()
      .nullable()
      .meta({ description: "Browser and system as the browser named them; null when it did not." }),
    current: z.boolean().meta({ description: "Whether it is the session of this request." }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

/** An account as the person whose it is may see it. */
export const SignedInAccount = z.object({
  id: z.string(),
  email: z.string(),
  name: z
    .string()
    .nullable()
    .meta({ description: "As the identity provider names the person; null when it does not." }),
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
      .meta({ description: "A reel of the local stand-in to try; absent where there is no stand-in." }),
  }),
});

export const listSessions = operation({
  ...ofPerson,
  summary: "List the sessions",
  description: "Where the person is signed in now and which extensions are connected, the last used first.",
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
