/** The service as `npm start` runs it, but for the stand-in, which runs elsewhere, and for clocks around its ports. */
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { BioContent } from "@reelscript/contract";
import { createDevelopmentBiller } from "../../server/dist/adapters/billing/development/development-biller.js";
import { openStore } from "../../server/dist/adapters/database/open-store.js";
import { publicPlatforms, standinPlatform } from "../../server/dist/adapters/platforms/platforms.js";
import { createWhisperTranscriber } from "../../server/dist/adapters/whisper/whisper-transcriber.js";
import { createApiKey, createNewId } from "../../server/dist/callers/api-key.js";
import { joinPorts } from "../../server/dist/start/join-ports.js";
import { systemClock } from "../../server/dist/start/system-clock.js";
import { startService } from "../../server/dist/service.js";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  embeddedModelQuality,
  recognizerRevision,
} from "../../whisper/dist/index.js";
import { answerParent } from "./child.mjs";
import { moment, timedDecoder, timedPort } from "./timed.mjs";

const recognizer = { model: path.basename(embeddedModelDirectory), revision: recognizerRevision };
const raisedLimit = 1_000_000;
const closers = [];
let store;
let recorded = [];
let statements;
let loopDelay;

const record = (part) => (method, from, to, result) => {
  // What beats, polls or finds nothing is not on a request's way.
  if (["extend", "reap", "queueLength"].includes(method) || (method === "claim" && !result)) return;
  recorded.push({ part, method, from, to });
};

async function openTranscriber({ ffmpegPath, threads }) {
  const engine = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, slots: 1, threads });
  const decoder = await createMediaDecoder({ ffmpegPath, searchPath: process.env.PATH });
  const whisper = createTranscriber({
    decoder: timedDecoder(decoder, (from, to) => recorded.push({ part: "decode", from, to })),
    recognizer: engine,
    maxSeconds: 900,
  });
  closers.push(() => whisper.close());
  await whisper.ready();
  return { description: whisper.description, port: createWhisperTranscriber(whisper, recognizer) };
}

function timedStore(opened) {
  const timed = { ...opened };
  for (const name of ["keys", "rateLimits", "allowances", "transcriptions", "scripts"])
    timed[name] = timedPort(opened[name], record("storage"));
  return timed;
}

/** Notes every statement that reaches the database while `statements` is a list. */
function noteStatements() {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function noted(config, values, ...others) {
    if (statements) {
      const plain = typeof config === "string" ? { text: config, values } : config;
      statements.push({ name: plain.name, text: plain.text, values: [...(plain.values ?? values ?? [])] });
    }
    return query.call(this, config, values, ...others);
  };
}

answerParent({
  /**
   * `recognition` is `{ ffmpegPath, threads }`, or nothing for a process that only answers; `clocked` sets clocks around
   * the ports.
   */
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
  }) {
    if (notesStatements) noteStatements();
    const opened = await openStore({ databaseUrl, dataDirectory, newId: createNewId() });
    closers.push(() => opened.close());
    store = clocked ? timedStore(opened) : opened;
    const log = () => undefined;
    const transcriber = recognition && (await openTranscriber(recognition));
    const workDirectory = path.join(dataDirectory, "work");
    await mkdir(workDirectory, { recursive: true });
    const ports = await joinPorts({
      platforms: [...publicPlatforms, standinPlatform(standin)],
      sources: { order: ["platform"] },
      transcriber: clocked && transcriber ? clockedTranscriber(transcriber.port) : transcriber?.port,
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
    return { url: service.url, description: transcriber?.description };
  },
  /** Claims one transcription after the other; returns how long each claim took, in milliseconds. */
  async claim(count) {
    const times = [];
    for (let index = 0; index < count; index += 1) {
      const from = performance.now();
      if (!(await store.transcriptions.claim(`bench-${index}`, 30, new Date()))) throw new Error("nothing was claimed");
      times.push(performance.now() - from);
    }
    return times;
  },
  /** Of a new account, or of one that is there, whose other keys are revoked. */
  async createKey(accountId) {
    const now = new Date();
    const id = accountId ?? (await store.accounts.create({ email: "bench@example.com", plan: "creator", now })).id;
    if (accountId !== undefined) for (const old of await store.keys.list(id)) await store.keys.revoke(old.id, now);
    const { key, hash, lastFour } = createApiKey();
    await store.keys.create({ accountId: id, name: "bench", hash, lastFour, now });
    return { key, accountId: id };
  },
  /** A page of twelve links at `handle`. */
  async makeBioPage({ accountId, handle }) {
    const links = Array.from({ length: 12 }, (_, index) => ({
      id: `lnk_bench${index}`,
      title: `Link number ${index + 1}`,
      url: `https://example.com/${index}`,
    }));
    const content = BioContent.parse({ displayName: "Bench", bio: "Twelve links.", links });
    const now = new Date();
    await store.bioPages.change(accountId, () => content, now);
    const { id } = await store.bioPages.claimHandle(accountId, handle, now);
    return id;
  },
  /** A script whose transcript has been corrected to `text`. */
  async addScript({ accountId, text }) {
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
    const claim = await store.transcriptions.claim("bench", 30, now);
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
      text: "Salt comes first.",
      segments: [{ start: 0, end: 60, text: "Salt comes first." }],
      gaps: [],
      words: null,
      language: "en",
      languageProbability: 0.9,
      seconds: 60,
      speechSeconds: 50,
      truncated: false,
      model: recognizer.model,
      revision: recognizer.revision,
      createdAt: now,
    };
    await store.transcriptions.complete(claim, transcript, true, now);
    const found = await store.scripts.search(accountId, { sort: "date", limit: 1 });
    const [{ id }] = found.scripts;
    await store.corrections.change(accountId, id, () => [text], now);
    return id;
  },
  /** The longest time, in milliseconds, for which nothing else could be served since this was last asked. */
  async longestHold() {
    loopDelay ??= monitorEventLoopDelay({ resolution: 5 });
    // A hold is noted by the timer that it kept waiting.
    await setTimeout(20);
    const longest = loopDelay.max / 1e6;
    loopDelay.enable();
    loopDelay.reset();
    return longest;
  },
  async bioViews(accountId) {
    const today = new Date().toISOString().slice(0, 10);
    const { daily, excluded } = await store.bioEvents.read(accountId, { earliest: today, from: today, to: today });
    return { views: daily.reduce((sum, day) => sum + day.views, 0), excluded };
  },
  backUp: () => store.backUp(),
  listAccounts: () => store.accounts.list(),
  /** What the clocks saw since this was last asked. */
  takeRecorded() {
    const taken = recorded;
    recorded = [];
    return taken;
  },
  cpuMilliseconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
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
});

const clockedTranscriber = (port) => ({
  model: port.model,
  async transcribe(file, options) {
    const from = moment();
    const speech = await port.transcribe(file, options);
    recorded.push({ part: "transcribe", from, to: moment() });
    return speech;
  },
});
