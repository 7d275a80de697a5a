/** The service as `npm start` runs it, but for the stand-in, which runs elsewhere, and for clocks around its ports. */
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { BioContent } from "@reelscript/contract";
import { createDevelopmentBiller } from "#server/adapters/billing/development/development-biller.ts";
import { type OpenedStore, openStore } from "#server/adapters/database/open-store.ts";
import type { Transcriber } from "#server/ports.ts";
import { publicPlatforms, standinPlatform } from "#server/adapters/platforms/platforms.ts";
import { createWhisperTranscriber } from "#server/adapters/whisper/whisper-transcriber.ts";
import { createApiKey, createNewId } from "#server/callers/api-key.ts";
import { joinPorts } from "#server/start/join-ports.ts";
import { systemClock } from "#server/start/shared-clock.ts";
import { startService } from "#server/service.ts";
import type { ServiceSettings } from "#server/settings/service-settings.ts";
import { withinLongest } from "#server/worker/within-longest.ts";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  embeddedModelQuality,
  recognizerRevision,
} from "@reelscript/whisper";
import { answerParent } from "./child.ts";
import { createHoldWatch } from "./hold-watch.ts";
import { cpuMilliseconds } from "./process-times.ts";
import { passQueriesBy, type Statement } from "./slow-statements.ts";
import { moment, timedDecoder, timedPort } from "./timed.ts";

/** A part of a request, and from when to when it took. */
export interface Recorded {
  readonly part: string;
  readonly from: number;
  readonly to: number;
}

export interface ServiceProcessSettings {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  readonly standin: Parameters<typeof standinPlatform>[0];
  /** Nothing for a process that only answers. */
  readonly recognition?: { readonly ffmpegPath: string; readonly threads: number } | undefined;
  /** Sets clocks around the ports. */
  readonly clocked?: boolean;
  readonly notesStatements?: boolean;
  readonly queueLimit?: number;
  readonly queueLimitPerAccount?: number;
  readonly trustProxy?: ServiceSettings["trustProxy"];
}

const recognizer = { model: path.basename(embeddedModelDirectory), revision: recognizerRevision };
const raisedLimit = 1_000_000;
const closers: (() => unknown)[] = [];
const holdWatch = createHoldWatch();
let store: OpenedStore;
let recorded: Recorded[] = [];
let statements: Statement[] | undefined;

const record = (part: string) => (method: string, from: number, to: number, result: unknown) => {
  // What beats, polls or finds nothing is not on a request's way.
  if (["extend", "reap", "queueLength"].includes(method) || (method === "claim" && !result)) return;
  recorded.push({ part, from, to });
};

async function openTranscriber({ ffmpegPath, threads }: NonNullable<ServiceProcessSettings["recognition"]>) {
  const engine = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, slots: 1, threads });
  const decoder = await createMediaDecoder({ ffmpegPath, searchPath: process.env.PATH });
  const whisper = createTranscriber({
    decoder: timedDecoder(decoder, (from, to) => recorded.push({ part: "decode", from, to })),
    recognizer: engine,
    maxSeconds: 900,
  });
  closers.push(() => whisper.close());
  await whisper.ready();
  return createWhisperTranscriber(whisper, recognizer);
}

function timedStore(opened: OpenedStore): OpenedStore {
  const { keys, rateLimits, allowances, transcriptions, scripts } = opened;
  const nouns = { keys, rateLimits, allowances, transcriptions, scripts };
  const timed = Object.entries(nouns).map(([name, noun]) => [name, timedPort(noun, record("storage"))]);
  return { ...opened, ...(Object.fromEntries(timed) as typeof nouns) };
}

/** Notes every statement that reaches the database while `statements` is a list. */
const noteStatements = (): void =>
  passQueriesBy((config, run, values) => {
    const plain: Statement = typeof config === "string" ? { text: config } : config;
    const given = plain.values ?? (Array.isArray(values) ? values : []);
    statements?.push({ name: plain.name, text: plain.text, values: [...given] });
    return run();
  });

const methods = {
  async open({
    dataDirectory,
    databaseUrl,
    standin,
    recognition,
    clocked = false,
    notesStatements = false,
    queueLimit = 200,
    queueLimitPerAccount = 20,
    trustProxy = false,
  }: ServiceProcessSettings) {
    if (notesStatements) noteStatements();
    const opened = await openStore({ databaseUrl, dataDirectory, newId: createNewId() });
    closers.push(() => opened.close());
    store = clocked ? timedStore(opened) : opened;
    const log = (): void => undefined;
    const transcriber = recognition && (await openTranscriber(recognition));
    const workDirectory = path.join(dataDirectory, "work");
    await mkdir(workDirectory, { recursive: true });
    const ports = await joinPorts({
      platforms: [...publicPlatforms, standinPlatform(standin)],
      sources: { order: ["platform"] },
      transcriber: clocked && transcriber ? clockedTranscriber(transcriber) : transcriber,
      developmentBiller: createDevelopmentBiller({
        file: path.join(dataDirectory, "development-biller.json"),
        clock: systemClock,
        onFault: log,
      }),
      clock: systemClock,
      onNotice: log,
    });
    const service = await startService(
      {
        host: "127.0.0.1",
        port: 0,
        baseUrl: undefined,
        trustProxy,
        role: recognition ? "all" : "api",
        quotaScope: "key",
        rateLimits: { default: raisedLimit, transcribe: raisedLimit, bioWrite: raisedLimit, address: raisedLimit },
        sessionRateLimits: { default: raisedLimit, transcribe: raisedLimit, bioWrite: raisedLimit },
        signIn: { kind: "development" },
        signInLimit: raisedLimit,
        sentBytesPerHour: 0,
        queueLimit,
        queueLimitPerAccount,
        slots: 1,
        workDirectory,
        maxMediaBytes: 200_000_000,
        recognizer,
        languageQuality: embeddedModelQuality,
      },
      {
        ...ports,
        store,
        source: clocked ? timedPort(ports.source, record("fetch")) : ports.source,
        probeLink: async () => "unknown",
      },
      { onFault: (error, where) => console.error(`service, ${where}:`, error), onNotice: log },
    );
    closers.push(() => service.stop());
    return { url: service.url };
  },
  /** Claims one transcription after the other; returns how long each claim took, in milliseconds. */
  async claim(count: number) {
    const times = [];
    for (let index = 0; index < count; index += 1) {
      const from = performance.now();
      if (!(await store.transcriptions.claim(`bench-${index}`, 30, new Date()))) throw new Error("nothing was claimed");
      times.push(performance.now() - from);
    }
    return times;
  },
  /** Of a new account, or of one that is there, whose other keys are revoked. */
  async createKey(accountId?: string) {
    const now = new Date();
    const id = accountId ?? (await store.accounts.create({ email: "bench@example.com", plan: "creator", now })).id;
    if (accountId !== undefined) for (const old of await store.keys.list(id)) await store.keys.revoke(old.id, now);
    const { key, hash, lastFour } = createApiKey();
    await store.keys.create({ accountId: id, name: "bench", hash, lastFour, now });
    return { key, accountId: id };
  },
  /** A page of twelve links at `handle`. */
  async makeBioPage({ accountId, handle }: { readonly accountId: string; readonly handle: string }) {
    const links = Array.from({ length: 12 }, (_, index) => ({
      id: `lnk_bench${index}`,
      title: `Link number ${index + 1}`,
      url: `https://example.com/${index}`,
    }));
    const content = BioContent.parse({ displayName: "Bench", bio: "Twelve links.", links });
    const now = new Date();
    await store.bioPages.change(accountId, () => content, now);
    const claimed = await store.bioPages.claimHandle(accountId, handle, now);
    if (typeof claimed === "string") throw new Error(`the handle is ${claimed}`);
    if (claimed.id === undefined) throw new Error("the page has no id");
    return claimed.id;
  },
  /** A script whose transcript is `text`, as a worker stores it. */
  async addScript({ accountId, text }: { readonly accountId: string; readonly text: string }) {
    const now = new Date();
    const mediaId = randomBytes(9).toString("hex");
    const reel = { platform: "bench", mediaId, shortcode: mediaId, url: `https://reels.example/reel/${mediaId}/` };
    await store.transcriptions.request({
      reel,
      languageHint: null,
      allowance: { subject: { accountId, slot: 1 }, period: "lifetime", limit: 1_000_000, resetsAt: null },
      model: recognizer.model,
      queueLimit: 1_000,
      queueLimitPerAccount: 1_000,
      now,
    });
    const claim = (await store.transcriptions.claim("bench", 30, now))!;
    const transcript = {
      reel: {
        ...reel,
        caption: null,
        author: { handle: null, displayName: null, verified: null },
        thumbnail: null,
        dimensions: null,
        durationSeconds: 60,
        hasAudio: true,
        views: null,
        likes: null,
        comments: null,
        postedAt: null,
      },
      ...withinLongest({ text, segments: [{ start: 0, end: 60, text }], words: null, truncated: false }),
      gaps: [],
      language: "en",
      languageProbability: 0.9,
      seconds: 60,
      speechSeconds: 50,
      model: recognizer.model,
      revision: recognizer.revision,
      createdAt: now,
    };
    await store.transcriptions.complete(claim, transcript, true, now);
    const found = await store.scripts.search(accountId, { sort: "date", limit: 1 });
    return found.scripts[0]!.id;
  },
  watchHolds: () => holdWatch.start(),
  /** The longest since `watchHolds`, in milliseconds of processor time. */
  async longestHold() {
    await setTimeout(20);
    return holdWatch.stop();
  },
  async bioViews(accountId: string) {
    const today = new Date().toISOString().slice(0, 10);
    const { daily, excluded } = await store.bioEvents.read(accountId, { earliest: today, from: today, to: today });
    return { views: daily.reduce((sum, day) => sum + day.views, 0), excluded };
  },
  backUp: () => store.backUp(new Date()),
  listAccounts: () => store.accounts.list(),
  /** What the clocks saw since this was last asked. */
  takeRecorded() {
    const taken = recorded;
    recorded = [];
    return taken;
  },
  cpuMilliseconds,
  startNoting() {
    statements = [];
  },
  takeStatements() {
    const taken = statements;
    statements = undefined;
    return taken;
  },
  async close() {
    for (const close of closers.splice(0).toReversed()) await close();
  },
};
export type ServiceMethods = typeof methods;
answerParent(methods);

const clockedTranscriber = (port: Transcriber): Transcriber => ({
  ...port,
  async transcribe(file, options) {
    const from = moment();
    const speech = await port.transcribe(file, options);
    recorded.push({ part: "transcribe", from, to: moment() });
    return speech;
  },
});
