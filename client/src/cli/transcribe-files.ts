import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
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

/** Sends files one after another and prints their texts. Returns the exit code: failed if one has no text in the end. */
export async function transcribeFiles(
  input: FilesInput,
  common: CommonValues,
  surroundings: Surroundings,
  following: Following,
): Promise<number> {
  const { environment, stdout, stderr, signal } = surroundings;
  const missing = input.files.find((file) => !isFile(file));
  if (missing !== undefined) throw new UsageError(`Can't find the file ${missing}`);
  if (input.title !== undefined && input.files.length > 1) throw new UsageError("--title is for one file");
  const { client, ticker } = connect("transcribe", true, common, surroundings);
  const say = (text: string): void => {
    ticker.stop();
    stderr.write(`${plainText(text)}\n`);
  };
  let failed = 0;
  for (const file of input.files) {
    ticker.start();
    try {
      // oxlint-disable-next-line no-await-in-loop -- an account has few files at a time
      const done = await transcribeFile(client, file, input, {
        environment,
        signal,
        isAsync: common.async === true,
        say,
        onShare: (progress) => ticker.show({ progress }),
        onProgress: (transcription) => {
          following.id = transcription.id;
          ticker.show(transcription);
        },
      });
      ticker.stop();
      if (common.json) stdout.write(`${JSON.stringify({ file, ...done })}\n`);
      else if ("transcript" in done) {
        const page = createPage(stdout, environment);
        const answer = plainAnswer(done) as Output<"transcribeReel">;
        if (input.files.length > 1) say(`${path.basename(file)}:`);
        stdout.write(`${present("transcribeReel", answer, page).body}\n`);
      } else say(`Follow it with: reelscript file ${done.id}`);
    } catch (error) {
      ticker.stop();
      if (signal.aborted || input.files.length === 1) throw error;
      if (!(error instanceof CallError)) throw error;
      failed += 1;
      say(`${path.basename(file)}: ${error.message}`);
    }
  }
  return failed > 0 ? exit.failed : exit.done;
}

interface FileParts {
  readonly environment: Surroundings["environment"];
  readonly signal: AbortSignal;
  /** Ends when the file has arrived. */
  readonly isAsync: boolean;
  readonly say: (text: string) => void;
  readonly onShare: (share: number) => void;
  readonly onProgress: (transcription: Transcription) => void;
}

type Done = Output<"transcribeReel"> | Output<"getFile">;

/** The same file with the same options is the same upload for a day, so that a program that ended continues it. */
async function transcribeFile(client: Client, file: string, input: FilesInput, parts: FileParts): Promise<Done> {
  const { environment, signal, say } = parts;
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
  if (state.status === "receiving") {
    const most = created.mostTranscriptions;
    say(`${path.basename(file)}: uses at most ${most} ${most === 1 ? "transcription" : "transcriptions"}.`);
    const opened = await open(file);
    try {
      const url = created.uploadUrl!; // safe: an answer that creates a file has one
      const fetch = createMediaFetch(url, environment);
      await sendFile({ url, file: opened, size, fetch, signal, say, onShare: parts.onShare });
    } finally {
      await opened.close();
    }
  }
  if (parts.isAsync) return client.getFile({ id: created.id }, { signal });
  return resultOf(client, created.id, parts);
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
