import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type {
  Account,
  ApiKey,
  Allowance,
  Claim,
  Failure,
  NewTranscript,
  ReelAddress,
  ReelIdentity,
  Report,
  Store,
  Transcript,
} from "../../../src/ports.ts";

export const start = new Date("2026-03-01T12:00:00.000Z");
export const after = (seconds: number, from: Date = start): Date => new Date(from.getTime() + seconds * 1_000);

export const unique = (): string => randomBytes(9).toString("hex");

export const broken: Failure = { code: "internalError", status: 500, message: "It broke." };
export const walled: Failure = { code: "upstreamError", status: 502, message: "The platform does not answer." };

export const aReel = (): ReelAddress => {
  const mediaId = unique();
  return { platform: "standin", mediaId, shortcode: mediaId, url: `https://reels.test/reel/${mediaId}/` };
};

export const anAccount = (store: Store, now: Date = start): Promise<Account> =>
  store.accounts.create({ email: "someone@example.test", plan: "free", now });

/** A key, or a connected program, that there is room for. */
export async function aKey(
  store: Store,
  accountId: string,
  { secret = unique(), now = start, ...changes }: { secret?: string; now?: Date; name?: string; expiresAt?: Date } = {},
): Promise<ApiKey> {
  const hash = hashOf(secret);
  const newKey = await store.keys.create({ accountId, name: "k", hash, lastFour: secret.slice(-4), now, ...changes });
  if (typeof newKey === "string") throw new Error(newKey);
  return newKey;
}

/** A person of whom the identity provider gives no name or email. */
export const someone = (subject = unique()) => ({
  issuer: "https://identity.example",
  subject,
  email: null,
  name: null,
  now: start,
});

/** A session for thirty days, with the secret of its cookie. */
export async function aSession(store: Store, accountId: string, secret = unique(), now = start) {
  const expiresAt = after(30 * 86_400, now);
  const secrets = { hash: hashOf(secret), idToken: "token" };
  return { secret, session: await store.sessions.create({ accountId, ...secrets, browser: "x\0y", expiresAt, now }) };
}

export const leaseSeconds = 180;

/** A call with an idempotency key. */
export const aCall = (accountId: string) => ({
  subject: { accountId, slot: 1 },
  key: "once",
  request: hashOf("request"),
  leaseSeconds,
  now: start,
});

export const aReport = (changes: Partial<Omit<Report, "id">> = {}): Omit<Report, "id"> => ({
  handle: "cook",
  createdAt: start,
  reelsAnalyzed: 2,
  timezone: "UTC",
  findings: { metrics: {}, topReels: [], insights: [] },
  ...changes,
});

export const anAllowance = (accountId: string, changes: Partial<Allowance> & { slot?: number } = {}): Allowance => ({
  subject: { accountId, slot: changes.slot ?? 1 },
  period: changes.period ?? "lifetime",
  limit: changes.limit ?? 10,
  resetsAt: null,
});

export const hashOf = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest());

export interface Said {
  text?: string;
  caption?: string | null;
  handle?: string | null;
  displayName?: string | null;
  views?: number | null;
  likes?: number | null;
  comments?: number | null;
}

export const transcriptOf = (reel: ReelAddress, said: Said = {}, createdAt: Date = start): Transcript => ({
  reel: {
    ...reel,
    caption: said.caption ?? null,
    author: { handle: said.handle ?? null, displayName: said.displayName ?? null, verified: null },
    thumbnail: null,
    dimensions: { width: 1080, height: 1920, aspectRatio: "9:16" },
    durationSeconds: 12.5,
    hasAudio: true,
    views: said.views ?? null,
    likes: said.likes ?? null,
    comments: said.comments ?? null,
    postedAt: "2026-02-01T10:00:00.000Z",
  },
  text: said.text ?? "hello",
  segments: [{ start: 0, end: 1.5, text: said.text ?? "hello" }],
  language: "en",
  languageProbability: 0.875,
  seconds: 12.5,
  speechSeconds: 10.25,
  truncated: false,
  model: "whisper-base",
  createdAt,
  gaps: [],
  revision: 1,
});

interface Changes {
  readonly now?: Date;
  readonly queueLimit?: number;
  readonly queueLimitPerAccount?: number;
  readonly model?: string;
  readonly languageHint?: string | null;
}

export const requestOf = (reel: ReelAddress, allowance: Allowance, changes: Changes = {}) => ({
  reel,
  languageHint: changes.languageHint ?? null,
  allowance,
  model: changes.model ?? "whisper-base",
  queueLimit: changes.queueLimit ?? 1_000,
  queueLimitPerAccount: changes.queueLimitPerAccount ?? 1_000,
  now: changes.now ?? start,
});

export const ask = (store: Store, reel: ReelAddress, allowance: Allowance, changes: Changes = {}) =>
  store.transcriptions.request(requestOf(reel, allowance, changes));

/** Asks for a reel that nobody has and for which there is room, and returns the id of its transcription. */
export async function mustStart(store: Store, accountId: string, reel = aReel()): Promise<string> {
  const outcome = await ask(store, reel, anAllowance(accountId, { limit: 1_000 }));
  if (outcome.kind !== "started") throw new Error(`it is ${outcome.kind}`);
  return outcome.transcriptionId;
}

/** Asks for a reel as `ask` does, with media of it that the account sent. */
export async function askSent(store: Store, reel: ReelAddress, allowance: Allowance, changes: Changes = {}) {
  const enough = { mostBytesOfAccount: 10, mostBytes: 10, mostBytesPerHour: 10, leastFreeBytes: 0 };
  const now = changes.now ?? start;
  const { accountId } = allowance.subject;
  const begun = await store.sentMedia.begin({ accountId, ...enough, expiresAt: after(60, now), now });
  if (begun.kind !== "begun") throw new Error(`No room for media: ${begun.kind}`);
  return store.sentMedia.request(begun.mediaId, requestOf(reel, allowance, changes));
}

export async function mustClaim(store: Store, now: Date = start, leaseSeconds = 30): Promise<Claim> {
  const claim = await store.transcriptions.claim("worker", leaseSeconds, now);
  expect(claim).toBeDefined();
  return claim as Claim;
}

/** Has a reel transcribed for an account from asking to the end, as the worker would. */
export async function transcribe(
  store: Store,
  accountId: string,
  said: Said = {},
  now: Date = start,
  { address: reel = aReel(), ...changes }: Partial<NewTranscript> & { readonly address?: ReelAddress } = {},
) {
  expect(await ask(store, reel, anAllowance(accountId, { limit: 1_000_000 }), { now })).toMatchObject({
    kind: "started",
  });
  const transcript = { ...transcriptOf(reel, said, now), ...changes };
  expect(await store.transcriptions.complete(await mustClaim(store, now), transcript, true, now)).toBe(true);
  return { reel, transcript };
}

export async function newestScriptId({ scripts }: Store, accountId: string): Promise<string> {
  const [script] = (await scripts.search(accountId, { sort: "date", limit: 1 })).scripts;
  return script!.id;
}

export const newerRecognizer = { model: "whisper-base", revision: 2 };

/** Requests that the reel of a script is transcribed again. */
export const askAgain = (
  store: Store,
  accountId: string,
  scriptId: string,
  changes: { readonly queueLimit?: number; readonly recognizer?: typeof newerRecognizer } = {},
) =>
  store.retranscriptions.request({
    accountId,
    scriptId,
    recognizer: newerRecognizer,
    queueLimit: 1_000,
    queueLimitPerAccount: 1_000,
    now: after(50),
    ...changes,
  });

/** The whole of a cached transcript, which `takeCached` puts into the account's library. */
export async function takeTranscript(
  { transcriptions, scripts }: Store,
  reel: ReelIdentity,
  accountId: string,
  now: Date,
): Promise<Transcript | undefined> {
  const cached = await transcriptions.takeCached(reel, anAllowance(accountId), now);
  if (cached === undefined) return undefined;
  const library = await scripts.search(accountId, { sort: "date", limit: 100 });
  const transcript = library.scripts.find(({ transcript }) => transcript.reel.mediaId === reel.mediaId)?.transcript;
  expect(transcript).toMatchObject({ text: cached.text, language: cached.language, truncated: cached.truncated });
  return transcript;
}

export const kindsOf = (answers: readonly { kind: string }[]) => answers.map(({ kind }) => kind).toSorted();

export const spokenTextOf = ({ text, language, truncated, model }: Transcript) => ({
  text,
  language,
  truncated,
  model,
});

/** Leaves an empty queue to the next test. */
export async function emptyQueue(store: Store): Promise<void> {
  const late = new Date("2036-01-01T00:00:00.000Z");
  for (let claim = await store.transcriptions.claim("cleaner", 1, late); claim;) {
    await store.transcriptions.fail(claim, broken, { now: late });
    claim = await store.transcriptions.claim("cleaner", 1, late);
  }
  await store.transcriptions.reap(broken, late);
  expect(await store.transcriptions.queueLength()).toBe(0);
}
