/** The service as `npm start` runs it, but for the stand-in, which runs elsewhere, and for clocks around its ports. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { createDevelopmentBiller } from "../server/dist/adapters/billing/development/development-biller.js";
import { createStripeBiller } from "../server/dist/adapters/billing/stripe-biller.js";
import { openStore } from "../server/dist/adapters/database/open-store.js";
import { publicPlatform, standinPlatform } from "../server/dist/adapters/platform/platform.js";
import { createReelLocator } from "../server/dist/adapters/platform/reel-locator.js";
import { createPictureSource } from "../server/dist/adapters/pictures/create-picture-source.js";
import { createReelSources } from "../server/dist/adapters/reel-sources.js";
import { createWhisperTranscriber } from "../server/dist/adapters/whisper/whisper-transcriber.js";
import { createApiKey, createNewId } from "../server/dist/api-key.js";
import { systemClock } from "../server/dist/clock.js";
import { startService } from "../server/dist/service.js";
import {
  createEmbeddedRecogniser,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  embeddedModelQuality,
} from "../whisper/dist/index.js";
import { answerParent } from "./child.mjs";
import { moment, timedDecoder, timedPort } from "./timed.mjs";

const raisedLimit = 1_000_000;
const closers = [];
let store;
let recorded = [];
let statements;

const record = (part) => (method, from, to, result) => {
  // What beats, polls or finds nothing is not on a request's way.
  if (["extend", "reap", "queueLength"].includes(method) || (method === "claim" && !result)) return;
  recorded.push({ part, method, from, to });
};

async function openTranscriber({ ffmpegPath, threads }) {
  const recogniser = createEmbeddedRecogniser({ modelDirectory: embeddedModelDirectory, slots: 1, threads });
  const decoder = await createMediaDecoder({ ffmpegPath, searchPath: process.env.PATH });
  const whisper = createTranscriber({
    decoder: timedDecoder(decoder, (from, to) => recorded.push({ part: "decode", from, to })),
    recogniser,
    maxSeconds: 900,
  });
  closers.push(() => whisper.close());
  await whisper.ready();
  return { description: whisper.description, port: createWhisperTranscriber(whisper, whisper.model) };
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
  async open({ dataDirectory, databaseUrl, standin, recognition, clocked = false, notesStatements = false }) {
    if (notesStatements) noteStatements();
    const opened = await openStore({ databaseUrl, dataDirectory, newId: createNewId() });
    closers.push(() => opened.close());
    store = clocked ? timedStore(opened) : opened;
    const platforms = [publicPlatform, standinPlatform(standin)];
    const log = () => undefined;
    const source = await createReelSources({ platforms, order: ["platform"], clock: systemClock, log });
    const transcriber = recognition && (await openTranscriber(recognition));
    const workDirectory = path.join(dataDirectory, "work");
    await mkdir(workDirectory, { recursive: true });
    const developmentBiller = createDevelopmentBiller({
      file: path.join(dataDirectory, "development-biller.json"),
      clock: systemClock,
      onNotice: log,
    });
    const service = await startService(
      {
        host: "127.0.0.1",
        port: 0,
        baseUrl: undefined,
        trustProxy: false,
        role: recognition ? "all" : "api",
        quotaScope: "key",
        rateLimits: { default: raisedLimit, transcribe: raisedLimit, bioWrite: raisedLimit, address: raisedLimit },
        sessionRateLimits: { default: raisedLimit, transcribe: raisedLimit, bioWrite: raisedLimit },
        signIn: { kind: "development" },
        signInLimit: raisedLimit,
        queueLimit: 200,
        slots: 1,
        workDirectory,
        model: path.basename(embeddedModelDirectory),
        languageQuality: embeddedModelQuality,
      },
      {
        store,
        locator: createReelLocator({ platforms, log }),
        source: clocked ? timedPort(source, record("fetch")) : source,
        pictures: createPictureSource(platforms),
        biller: createStripeBiller({ ...developmentBiller, onNotice: log }),
        developmentBiller,
        transcriber: clocked && transcriber ? clockedTranscriber(transcriber.port) : transcriber?.port,
        clock: systemClock,
      },
      { onFault: (error, where) => console.error(`service, ${where}:`, error), onNotice: log },
    );
    closers.push(() => service.stop());
    return { url: service.url, description: transcriber?.description };
  },
  async createKey() {
    const now = new Date();
    const account = await store.accounts.create({ email: "bench@example.com", plan: "creator", now });
    const { key, hash, lastFour } = createApiKey();
    await store.keys.create({ accountId: account.id, name: "bench", hash, lastFour, now });
    return { key, accountId: account.id };
  },
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
