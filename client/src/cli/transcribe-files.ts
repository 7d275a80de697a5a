import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { fileLimits } from "@reelscript/contract/values";
import { CallError } from "../call-error.ts";
import type { Client } from "../create-client.ts";
import type { Input, Output, Transcription } from "../operation-types.ts";
import { isFile } from "./are-files.ts";
import { connect, type Following } from "./call-service.ts";
import { UsageError } from "./explain-error.ts";
import type { CommonValues } from "./parse-arguments.ts";
import { present } from "./present.ts";
import { createPage, exit, type Surroundings } from "./surroundings.ts";
import { plainAnswer, plainText } from "./text.ts";
import { createMediaFetch, sendFile } from "./send-file.ts";

export interface FilesInput {
  readonly files: readonly string[];
  readonly title?: string;
  readonly keepDays?: number;
  readonly videoStyle?: NonNullable<Input<"createFile">["videoStyle"]>;
  readonly languageHint?: string;
  readonly translate?: "en";
}

/**
 * Sends files one after another, as batches if there are several, and prints their texts. Returns the exit code: failed if one
 * has no text in the end.
 */
export async function transcribeFiles(
  input: FilesInput,
  common: CommonValues,
  surroundings: Surroundings,
  following: Following,
): Promise<number> {
  const { environment, stderr, signal } = surroundings;
  const missing = input.files.find((file) => !isFile(file));
  if (missing !== undefined) throw new UsageError(`Can't find the file ${missing}`);
  if (input.title !== undefined && input.files.length > 1) throw new UsageError("--title is for one file");
  const { client, ticker } = connect("transcribe", true, common, surroundings);
  const say = (text: string): void => {
    ticker.stop();
    stderr.write(`${plainText(text)}\n`);
  };
  const parts: FileParts = {
    environment,
    signal,
    say,
    onShare: (progress) => ticker.show({ progress }),
    onProgress: (transcription) => {
      following.id = transcription.id;
      ticker.show(transcription);
    },
  };
  let failed = 0;
  /** A file that is refused doesn't stop the others. */
  const attempt = async <Result>(file: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    ticker.start();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || input.files.length === 1 || !(error instanceof CallError)) throw error;
      failed += 1;
      say(`${path.basename(file)}: ${error.message}`);
      return undefined;
    } finally {
      ticker.stop();
    }
  };
  const rest = [...input.files];
  while (rest.length > 0) {
    const begun: BegunFile[] = [];
    for (const file of rest.splice(0, fileLimits.openAtATime)) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that they keep their order
      const one = await attempt(file, () => beginFile(client, file, input, parts));
      if (one !== undefined) begun.push(one);
    }
    // oxlint-disable-next-line no-await-in-loop -- a batch ends before the next one begins
    const batch = begun.length > 1 ? await sendBatch(client, begun, parts) : undefined;
    const arrived: BegunFile[] = [];
    for (const one of begun)
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that the first is transcribed early
      if (await attempt(one.file, () => sendBegun(one, parts))) arrived.push(one);
    // Until all have arrived, the same command continues them.
    if (batch !== undefined) following.batches = `reelscript batch ${batch}`;
    if (common.async === true && batch !== undefined) say(`Follow them with: reelscript batch ${batch}`);
    for (const { file, id } of arrived) {
      // oxlint-disable-next-line no-await-in-loop -- the texts come in the order of the files
      const done = await attempt(file, () =>
        common.async === true ? client.getFile({ id }, { signal }) : resultOf(client, id, parts),
      );
      if (done !== undefined) print(file, done, batch !== undefined);
    }
  }
  return failed > 0 ? exit.failed : exit.done;

  function print(file: string, done: Done, isInBatch: boolean): void {
    const { stdout } = surroundings;
    if (common.json) stdout.write(`${JSON.stringify({ file, ...done })}\n`);
    else if ("transcript" in done) {
      const page = createPage(stdout, environment);
      const answer = plainAnswer(done) as Output<"transcribeReel">;
      if (input.files.length > 1) say(`${path.basename(file)}:`);
      stdout.write(`${present("transcribeReel", answer, page).body}\n`);
    } else if (!isInBatch) say(`Follow it with: reelscript file ${done.id}`);
  }
}

interface FileParts {
  readonly environment: Surroundings["environment"];
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  readonly onShare: (share: number) => void;
  readonly onProgress: (transcription: Transcription) => void;
}

type Done = Output<"transcribeReel"> | Output<"getFile">;

/** A file that the service knows, and how far it is there. */
interface BegunFile {
  readonly file: string;
  readonly id: string;
  readonly size: number;
  /** The address for its bytes; undefined if they have arrived. */
  readonly uploadUrl: string | undefined;
}

/** The same file with the same options is the same upload for a day, so that a program that ended continues it. */
async function beginFile(
  client: Client,
  file: string,
  input: FilesInput,
  { signal, say }: FileParts,
): Promise<BegunFile> {
  const { size } = statSync(file);
  if (size === 0) throw new UsageError(`${file} is empty`);
  const sha256 = await hashOf(file);
  const request = {
    name: path.basename(file),
    bytes: size,
    sha256,
    ...(input.title !== undefined && { title: input.title }),
    ...(input.keepDays !== undefined && { keepDays: input.keepDays }),
    ...(input.videoStyle !== undefined && { videoStyle: input.videoStyle }),
    ...(input.languageHint !== undefined && { languageHint: input.languageHint }),
    ...(input.translate !== undefined && { translate: input.translate }),
  };
  const create = (attempt: string) => {
    const idempotencyKey = createHash("sha256")
      .update(`${attempt}${JSON.stringify(request)}`)
      .digest("hex");
    return client.createFile(request, { signal, idempotencyKey });
  };
  let created = await create("");
  let state = await client.getFile({ id: created.id }, { signal });
  if (state.status === "failed" || state.status === "canceled" || isExpired(state)) {
    created = await create(new Date().toISOString());
    state = created;
  }
  const isReceiving = state.status === "receiving";
  const most = created.mostTranscriptions;
  if (isReceiving)
    say(`${path.basename(file)}: uses at most ${most} ${most === 1 ? "transcription" : "transcriptions"}.`);
  return { file, id: created.id, size, uploadUrl: isReceiving ? created.uploadUrl : undefined };
}

/** Sends files as one batch, before their bytes, and says what it costs. Returns its id; undefined if none is left to send. */
async function sendBatch(
  client: Client,
  begun: readonly BegunFile[],
  { signal, say }: FileParts,
): Promise<string | undefined> {
  if (begun.every(({ uploadUrl }) => uploadUrl === undefined)) return undefined;
  const { id, estimate } = await client.createBatch({ files: begun.map((one) => one.id) }, { signal });
  const { reels, mostTranscriptions = 0, usage } = estimate;
  const left = Math.max(0, usage.limit - usage.used);
  say(`Batch ${id} of ${reels} files: uses at most ${mostTranscriptions} of your ${left} transcriptions.`);
  return id;
}

/** Sends what is missing of a file. */
async function sendBegun(
  { file, size, uploadUrl: url }: BegunFile,
  { environment, signal, say, onShare }: FileParts,
): Promise<true> {
  if (url === undefined) return true;
  const opened = await open(file);
  try {
    await sendFile({ url, file: opened, size, fetch: createMediaFetch(url, environment), signal, say, onShare });
  } finally {
    await opened.close();
  }
  return true;
}

const isExpired = ({ status, expiresAt }: Output<"getFile">): boolean =>
  status === "receiving" && expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();

/** Follows a file to its text. */
async function resultOf(client: Client, id: string, { signal, onProgress }: FileParts): Promise<Done> {
  for (let pause = 250; ; pause = Math.min(pause * 2, 10_000)) {
    // oxlint-disable-next-line no-await-in-loop -- each look depends on the one before
    const file = await client.getFile({ id }, { signal });
    if (file.transcriptionId !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- it is the last one
      const { result, error } = await client.followTranscription({ id: file.transcriptionId }, { signal, onProgress });
      if (result !== undefined) return result;
      throw new CallError(error?.code ?? "internalError", error?.message ?? "The transcription ended without a text.", {
        reason: error?.reason,
      });
    }
    if (file.error !== undefined)
      throw new CallError(file.error.code, file.error.message, { reason: file.error.reason });
    if (file.status === "done" && file.scriptId !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- it is the last one
      const [script, usage] = await Promise.all([
        client.getScript({ id: file.scriptId }, { signal }),
        client.getUsage({}, { signal }),
      ]);
      const { used, limit } = usage.transcriptions;
      const { transcript, language = "und", rough } = script;
      return {
        transcript,
        language,
        cached: true,
        ...(rough && { rough }),
        usage: { used, limit },
        scriptId: script.id,
      };
    }
    if (file.status === "canceled") throw new CallError("notFound", "The file was deleted before it was transcribed.");
    // oxlint-disable-next-line no-await-in-loop -- waits for its turn in the queue
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
