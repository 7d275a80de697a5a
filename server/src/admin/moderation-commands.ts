import { BioHandle, ServiceError } from "@reelscript/contract";
import * as z from "zod";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { readReelUrl } from "../adapters/platforms/reel-locator.ts";
import { isLoopback } from "../settings/is-loopback.ts";
import type { Clock, ModeratedBioPage, Moderation, NamedBioPage, ReelAddress } from "../ports.ts";
import { AdminError, printable } from "./admin-error.ts";

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "must not be empty" })
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), { error: "must be one line" });
const decision = { reason: line(500), by: line(100) };
const account = z.string().min(1).max(64);
const moderatedPage = z.object({ id: z.string(), handle: z.string().nullable() });

/** What the operator may do to what is others': what each command takes and what it answers, fit for JSON. */
export const moderationCommands = {
  takedownAdd: {
    input: z.strictObject({ url: z.string().min(1).max(2_048), ...decision }),
    output: z.object({ url: z.string(), /** Libraries from which it went. */ scripts: z.int() }),
  },
  takedownLift: {
    input: z.strictObject({ url: z.string().min(1).max(2_048), ...decision }),
    output: z.object({ url: z.string() }),
  },
  accountSuspend: { input: z.strictObject({ account, ...decision }), output: z.object({ id: z.string() }) },
  accountUnsuspend: { input: z.strictObject({ account, ...decision }), output: z.object({ id: z.string() }) },
  pageTakeDown: { input: z.strictObject({ page: z.string().min(1).max(2_048), ...decision }), output: moderatedPage },
  pageRestore: { input: z.strictObject({ page: z.string().min(1).max(2_048), ...decision }), output: moderatedPage },
  auditList: {
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    output: z.object({
      entries: z.array(
        z.object({
          at: z.iso.datetime(),
          by: z.string(),
          action: z.enum([
            "takeDownReel",
            "allowReel",
            "suspendAccount",
            "unsuspendAccount",
            "takeDownPage",
            "restorePage",
          ]),
          subject: z.string(),
          reason: z.string(),
        }),
      ),
    }),
  },
};

type Commands = typeof moderationCommands;
type ModerationHandlers = {
  readonly [Name in keyof Commands]: (
    input: z.output<Commands[Name]["input"]>,
  ) => Promise<z.output<Commands[Name]["output"]>>;
};

export function createModerationHandlers({
  moderation,
  clock,
}: {
  readonly moderation: Moderation;
  readonly clock: Clock;
}): ModerationHandlers {
  return {
    takedownAdd: async ({ url, reason, by }) => {
      const reel = reelAt(url);
      const { scripts } = await moderation.takeDown(reel, { reason, by, now: clock.now() }).catch(explain);
      return { url: reel.url, scripts };
    },
    takedownLift: async ({ url, reason, by }) => {
      const reel = reelAt(url);
      if (await moderation.allow(reel, { reason, by, now: clock.now() })) return { url: reel.url };
      throw new AdminError("refused", `${reel.url} was not taken down`);
    },
    accountSuspend: async ({ account: id, reason, by }) => {
      if (await moderation.suspend(id, { reason, by, now: clock.now() }).catch(explain)) return { id };
      throw new AdminError("refused", `no account has the id ${printable(id)}, or it is suspended already`);
    },
    accountUnsuspend: async ({ account: id, reason, by }) => {
      if (await moderation.unsuspend(id, { reason, by, now: clock.now() })) return { id };
      throw new AdminError("refused", `no account has the id ${printable(id)}, or it is not suspended`);
    },
    pageTakeDown: async ({ page, reason, by }) =>
      moderated(page, await moderation.takeDownPage(pageNamed(page), { reason, by, now: clock.now() }), "already"),
    pageRestore: async ({ page, reason, by }) =>
      moderated(page, await moderation.restorePage(pageNamed(page), { reason, by, now: clock.now() }), "not"),
    auditList: async ({ limit }) => ({
      entries: (await moderation.audit(limit)).map(({ at, by, action, subject, reason }) => ({
        at: at.toISOString(),
        by,
        action,
        subject,
        reason,
      })),
    }),
  };
}

function moderated(
  text: string,
  outcome: ModeratedBioPage | "unknown" | "already",
  state: "already" | "not",
): ModeratedBioPage {
  if (outcome === "unknown") throw new AdminError("refused", `no bio page is called ${printable(text)}`);
  if (outcome === "already") throw new AdminError("refused", `the bio page ${printable(text)} is ${state} taken down`);
  return outcome;
}

/** By its address, its handle with or without @, or its id. */
function pageNamed(text: string): NamedBioPage {
  if (text.startsWith("bio_")) return { id: text };
  const [, named = text] = /^https?:\/\/[^/]+\/(?:@|%40)([^/?#]+)\/?(?:[?#]|$)/i.exec(text) ?? [];
  const handle = BioHandle.safeParse(named.replace(/^@/, ""));
  if (handle.success) return { handle: handle.data };
  throw new AdminError("usage", "page: must be a page's address, its handle such as @ana, or its id");
}

function explain(error: unknown): never {
  throw error instanceof ServiceError ? new AdminError("refused", error.message, error) : error;
}

/** Of every shape of its URL but a share link, which only the platform can read. A stand-in is on this machine. */
function reelAt(text: string): ReelAddress {
  const origin = URL.canParse(text) ? new URL(text).origin : "";
  const standin =
    /^https?:/.test(origin) && isLoopback(origin) ? [standinPlatform({ origin, mediaOrigin: origin })] : [];
  try {
    const found = readReelUrl(text, [...publicPlatforms, ...standin]);
    if (found.kind === "reel") return found.address;
  } catch (error) {
    if (error instanceof ServiceError) throw new AdminError("usage", `url: ${error.message}`, error);
    throw error;
  }
  throw new AdminError("usage", "url: a share link does not say which reel it is; open it and give the reel's own URL");
}
