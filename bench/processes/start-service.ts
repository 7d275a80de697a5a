import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import type { ProbeAnswers, ProbeMethod } from "./probe.ts";
import type { BareRoutes } from "./bare-routes.ts";
import {
  type Caller,
  findOnPath,
  type Origins,
  type Program,
  raisedLimits,
  startProgram,
} from "../../scripts/processes/start-program.ts";
import type { StoredReel } from "../speech.ts";

export type Started = <One extends { stop(): unknown }>(one: One | Promise<One>) => Promise<One>;

const running: { stop(): unknown }[] = [];

export const started: Started = async (promise) => {
  const one = await promise;
  running.push(one);
  return one;
};

/** Stops everything that was started, the last first. */
export async function stopStarted(): Promise<void> {
  for (const one of running.splice(0).toReversed()) await one.stop();
}

export type Standin = PlatformStandin & { readonly origins: Origins; stop(): Promise<void> };

export async function startStandin(): Promise<Standin> {
  const standin = await startPlatformStandin();
  const origins = { page: standin.origin, media: standin.mediaOrigin };
  return { ...standin, origins, stop: () => standin.close() };
}

/** Publishes a media file as a fresh reel; returns its address. */
export const publish = (standin: Standin, { path, seconds, language, text }: StoredReel): string =>
  standin.urlOf(standin.addReel({ bytes: readFileSync(path), seconds, language, text }).code);

/** Origins of reels that are all cached, so that nobody fetches from this platform. */
export const nowhere: Origins = { page: "http://127.0.0.1:9", media: "http://127.0.0.1:9" };
const noModel = { TRANSCRIBER: "openai", OPENAI_BASE_URL: `${nowhere.page}/v1`, OPENAI_API_KEY: "none" };
const probe = new URL("probe.js", import.meta.url).href;

export interface Service extends Program {
  readonly url: string;
  /** Requires a service that was started with a probe. */
  ask<Method extends ProbeMethod>(method: Method): Promise<ProbeAnswers[Method]>;
  stop(): Promise<unknown>;
}

/** The service as in `npm start`, except for the stand-in; without `recognition` it recognizes nothing. */
export async function startService({
  environment,
  standin = nowhere,
  recognition,
  isProbed = false,
}: {
  /** Each service has its own. */
  readonly environment: Readonly<Record<string, string>> & { readonly DATA_DIR: string };
  readonly standin?: Origins;
  readonly recognition?: { readonly ffmpegPath: string; readonly threads: number };
  readonly isProbed?: boolean;
}): Promise<Service> {
  const program = await startProgram({
    standin,
    environment: {
      ...raisedLimits,
      LOG_LEVEL: "error",
      ...(recognition
        ? { FFMPEG_PATH: recognition.ffmpegPath, WHISPER_THREADS: String(recognition.threads) }
        : noModel),
      ...(isProbed && { BENCH_PROBE: "1" }),
      ...environment,
    },
    preload: isProbed ? [probe] : [],
    talks: isProbed,
  });
  const { child } = program;
  const url = program.url!; // safe: it answers in every role that is started here
  return {
    ...program,
    url,
    async ask<Method extends ProbeMethod>(method: Method) {
      child.send(method);
      const [{ answer }] = (await once(child, "message")) as [{ readonly answer: ProbeAnswers[Method] }];
      return answer;
    },
    stop() {
      child.kill("SIGINT");
      return program.ended;
    },
  };
}

/** Bare Fastify routes in a process of their own. */
export async function startBareRoutes(routes: BareRoutes) {
  const child = fork(fileURLToPath(new URL("bare-routes.js", import.meta.url)), {
    serialization: "advanced",
  });
  const ended = once(child, "exit");
  child.send(routes);
  const [port] = (await once(child, "message")) as [number];
  const stop = (): Promise<unknown> => {
    child.disconnect();
    return ended;
  };
  return { url: `http://127.0.0.1:${port}`, processId: child.pid!, stop };
}

/** POST to transcript. Throws unless the answer is a transcript. */
export async function transcribe(
  { url }: Pick<Service, "url">,
  { key }: Caller,
  reel: string,
): Promise<{ transcript: string; cached: boolean }> {
  const response = await fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: reel }),
  });
  const answer = (await response.json()) as { transcript: string; cached: boolean };
  if (response.status !== 200) throw new Error(`transcribe answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

export interface Decoder {
  readonly name: string;
  readonly ffmpegPath: string;
  /** A whole request's time to that of the bare recognizer. */
  readonly mostRatio: number;
}

/** The available decoders, as values of the setting FFMPEG_PATH. */
export async function decodersHere(): Promise<Decoder[]> {
  const ffmpegPath = process.env.FFMPEG_PATH ?? (await findOnPath("ffmpeg"));
  return [
    ...(ffmpegPath && ffmpegPath !== "embedded" ? [{ name: "system ffmpeg", ffmpegPath, mostRatio: 1.25 }] : []),
    { name: "embedded ffmpeg", ffmpegPath: "embedded", mostRatio: 1.6 },
  ];
}
