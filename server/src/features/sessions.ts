import { ServiceError } from "@reelscript/contract";
import type { Handlers } from "../run/handler.ts";
import type { IsOperator } from "../rules/operators.ts";
import type { StoredSession, Sessions, Clock } from "../ports.ts";

interface SessionNeeds {
  /** The sample reel, which anybody may transcribe without charge, if there is one. */
  readonly sampleReelUrl?: string | undefined;
  readonly sessions: Sessions;
  readonly isOperator: IsOperator;
  readonly clock: Clock;
}

export const sessionHandlers = ({ sampleReelUrl, sessions, isOperator, clock }: SessionNeeds) =>
  ({
    getSession: async ({ caller: { account, session } }) => ({
      account,
      session: describeSession(session, session.id),
      sampleReelUrl,
      ...((await isOperator(account)) && { isOperator: true }),
    }),

    listSessions: async ({ caller: { account, session } }) => ({
      sessions: (await sessions.list(account.id, clock.now())).map((each) => describeSession(each, session.id)),
    }),

    revokeSession: async ({ input: { id }, caller: { account } }) => {
      if (await sessions.revoke(account.id, id, clock.now())) return { id };
      throw new ServiceError("notFound", "You have no session with this id. It may have ended already.");
    },

    revokeOtherSessions: async ({ caller: { account, session } }) => ({
      revoked: await sessions.revokeOthers(account.id, session.id, clock.now()),
    }),
  }) satisfies Partial<Handlers>;

const describeSession = (session: StoredSession, currentId: string) => ({
  ...session,
  browser: browserName(session.browser),
  current: session.id === currentId,
});

/** The first match counts, because browsers also name their ancestors. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Edge", /\b(Edg|EdgA|EdgiOS)\//],
  ["Opera", /\b(OPR|OPiOS|OPT)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Yandex Browser", /\bYaBrowser\//],
  ["DuckDuckGo", /\b(DuckDuckGo|Ddg)\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/[\d.]+ (?:Mobile(?:\/\w+)? )?Safari\//],
  ["curl", /^curl\//],
];

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** Such as "Firefox on Linux", from a User-Agent header; `null` when it names neither browser nor system. */
function browserName(userAgent: string | null): string | null {
  const nameIn = (list: typeof browsers): string | undefined =>
    list.find(([, mark]) => mark.test(userAgent ?? ""))?.[0];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
