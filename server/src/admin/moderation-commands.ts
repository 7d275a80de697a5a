import { BioHandle, ServiceError } from "@reelscript/contract";
import * as z from "zod";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { readReelUrl } from "../adapters/platforms/reel-locator.ts";
import { isLoopback } from "../settings/is-loopback.ts";
import type { ModeratedBioPage, NamedBioPage, ReelAddress } from "../ports.ts";
import { AdminError, printable } from "./admin-error.ts";
import { alignedTable, field, lineField, moment, storeCommand } from "./command.ts";

export const decision = {
  reason: field("text", "Why; kept in the audit log", lineField(500)),
  by: field("name", "Who decided; kept in the audit log", lineField(100)),
};
const ofAccount = {
  account: field("account id", "The account's id, as account list shows it", z.string().min(1).max(64)),
  ...decision,
};
const addressOrName = z.string().min(1).max(2_048);
const ofReel = {
  url: field("reel url", "The reel's own URL, in any shape but a share link", addressOrName),
  ...decision,
};
const ofPage = { page: field("@handle", "The page's handle, address or id", addressOrName), ...decision };

/** The operator's commands on other people's content and accounts. */
export const moderationCommands = [
  storeCommand({
    words: "account suspend",
    summary: "Refuse an account's keys and sessions until it is unsuspended; its running work ends",
    fields: ofAccount,
    operand: "account",
    example: 'account suspend acc_… --reason "floods the queue" --by ada',
    async run({ account: id, ...why }, { store, clock }) {
      if (await store.moderation.suspend(id, { ...why, now: clock.now() })) return { id };
      throw new AdminError("refused", `no account has the id ${printable(id)}, or it is suspended already`);
    },
    text: ({ id }) => `${id} is suspended.`,
  }),
  storeCommand({
    words: "account unsuspend",
    summary: "Unsuspend an account, with the keys and sessions it had",
    fields: ofAccount,
    operand: "account",
    example: 'account unsuspend acc_… --reason "settled" --by ada',
    async run({ account: id, ...why }, { store, clock }) {
      if (await store.moderation.unsuspend(id, { ...why, now: clock.now() })) return { id };
      throw new AdminError("refused", `no account has the id ${printable(id)}, or it is not suspended`);
    },
    text: ({ id }) => `${id} works again.`,
  }),
  storeCommand({
    words: "takedown add",
    summary: "Remove a reel's transcript and thumbnail everywhere, and keep it from coming back",
    fields: ofReel,
    operand: "url",
    example: 'takedown add https://www.instagram.com/reel/DLlGZiCOBQ0/ --reason "request of its author" --by ada',
    async run({ url, ...why }, { store, clock }) {
      const reel = reelAt(url);
      return { url: reel.url, ...(await store.moderation.takeDown(reel, { ...why, now: clock.now() })) };
    },
    text: ({ url, scripts }) =>
      `${url} is taken down. It went from ${scripts === 1 ? "1 library" : `${scripts} libraries`}.\nBackups from before still hold it.`,
  }),
  storeCommand({
    words: "takedown lift",
    summary: "Allow a reel that was taken down to be transcribed again",
    fields: ofReel,
    operand: "url",
    example: 'takedown lift https://www.instagram.com/reel/DLlGZiCOBQ0/ --reason "wrong reel" --by ada',
    async run({ url, ...why }, { store, clock }) {
      const reel = reelAt(url);
      if (await store.moderation.allow(reel, { ...why, now: clock.now() })) return { url: reel.url };
      throw new AdminError("refused", `${reel.url} was not taken down`);
    },
    text: ({ url }) => `${url} may be transcribed again.`,
  }),
  storeCommand({
    words: "page take-down",
    summary: "Take a bio page offline until it is restored: visitors get 410",
    fields: ofPage,
    operand: "page",
    example: 'page take-down @ana --reason "phishing" --by ada',
    run: async ({ page, ...why }, { store, clock }) =>
      moderated(page, await store.moderation.takeDownPage(pageNamed(page), { ...why, now: clock.now() }), "already"),
    text: (page) => `${pageName(page)} is taken down. A cache in front of the service may show it for another minute.`,
  }),
  storeCommand({
    words: "page restore",
    summary: "Put a bio page that was taken down back online",
    fields: ofPage,
    operand: "page",
    example: 'page restore @ana --reason "settled" --by ada',
    run: async ({ page, ...why }, { store, clock }) =>
      moderated(page, await store.moderation.restorePage(pageNamed(page), { ...why, now: clock.now() }), "not"),
    text: (page) => `${pageName(page)} is online again.`,
  }),
  storeCommand({
    words: "audit list",
    summary:
      "List takedowns, suspensions, changed plans, invitations and changes of the queue with who decided and why, newest first",
    fields: {
      limit: field(
        "count",
        "Entries (default 100, maximum 1000)",
        z.coerce.number().int().min(1).max(1_000).default(100),
      ),
    },
    example: "audit list --limit 20",
    run: async ({ limit }, { store }) => ({ entries: await store.moderation.audit(limit) }),
    text: ({ entries }) =>
      entries.length === 0
        ? "Nothing was taken down, nobody suspended or invited, and neither a plan nor the queue changed yet."
        : alignedTable(
            ["WHEN", "WHO", "WHAT", "WHOM", "WHY"],
            entries.map(({ at, by, action, subject, reason }) => [moment(at), by, action, subject, reason]),
          ),
  }),
];

const pageName = ({ id, handle }: ModeratedBioPage): string =>
  handle === null ? `Page ${id}` : `Page @${handle} (${id})`;

function moderated(
  text: string,
  outcome: ModeratedBioPage | "unknown" | "already",
  state: "already" | "not",
): ModeratedBioPage {
  if (outcome === "unknown") throw new AdminError("refused", `no bio page is called ${printable(text)}`);
  if (outcome === "already") throw new AdminError("refused", `the bio page ${printable(text)} is ${state} taken down`);
  return outcome;
}

/** Accepts a page's address, its handle with or without @, or its id. */
function pageNamed(text: string): NamedBioPage {
  if (text.startsWith("bio_")) return { id: text };
  const [, handleText = text] = /^https?:\/\/[^/]+\/(?:@|%40)([^/?#]+)\/?(?:[?#]|$)/i.exec(text) ?? [];
  const handle = BioHandle.safeParse(handleText.replace(/^@/, ""));
  if (handle.success) return { handle: handle.data };
  throw new AdminError("usage", "page: must be a page's address, its handle such as @ana, or its id");
}

/** Reads a reel's URL in any form except a share link, which only the platform can resolve. A stand-in runs on this machine. */
function reelAt(text: string): ReelAddress {
  const origin = URL.canParse(text) ? new URL(text).origin : "";
  const standin =
    /^https?:/.test(origin) && isLoopback(origin) ? [standinPlatform({ origin, mediaOrigin: origin })] : [];
  try {
    const link = readReelUrl(text, [...publicPlatforms, ...standin]);
    if (link.kind === "reel") return link.address;
  } catch (error) {
    if (error instanceof ServiceError) throw new AdminError("usage", `url: ${error.message}`, error);
    throw error;
  }
  throw new AdminError("usage", "url: a share link does not say which reel it is; open it and give the reel's own URL");
}
