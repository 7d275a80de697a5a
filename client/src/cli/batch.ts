import { appendFileSync, readFileSync } from "node:fs";
import { CallError } from "../call-error.ts";
import type { Wait } from "../retry.ts";
import type { ReelOutcome } from "../core.ts";
import { connect } from "./call-service.ts";
import { createPage, exit, type Surroundings } from "./surroundings.ts";
import type { CommonValues } from "./parse-arguments.ts";
import { plainText } from "./text.ts";
import { UsageError } from "./explain-error.ts";

export interface BatchInput {
  readonly file: string;
  readonly output?: string;
  readonly retryFailed?: boolean;
  readonly languageHint?: string;
}

/**
 * Reads how each reel ended from the output of a batch; the last line of a reel counts. A line that was cut off when the
 * program ended is left out. Throws `UsageError` for any other kind of file, so that nothing is appended to it.
 */
function readResults(file: string): Map<string, "done" | "failed"> {
  const results = new Map<string, "done" | "failed">();
  let text: string;
  try {
    // Creates the file, so that a folder that isn't there is noticed before a transcription is spent.
    appendFileSync(file, "");
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Can't use ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const line of text.split("\n")) {
    const result = readResult(line);
    if (result !== undefined) results.set(result.url, result.status);
    else if (!isCutOff(line)) throw new UsageError(`${file} isn't the output of a batch; use another file`);
  }
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  return results;
}

/** Every result begins with its address. */
const isCutOff = (line: string): boolean => line.startsWith('{"url":') || '{"url":'.startsWith(line);

function readResult(line: string): { readonly url: string; readonly status: "done" | "failed" } | undefined {
  try {
    const { url, status } = JSON.parse(line) as { readonly url?: unknown; readonly status?: unknown };
    return typeof url === "string" && (status === "done" || status === "failed") ? { url, status } : undefined;
  } catch {
    return undefined;
  }
}

/** Transcribes the reels of a file. Returns the exit code: failed when a reel has no transcript in the end. */
export async function runBatch(
  { file, output, retryFailed, languageHint }: BatchInput,
  common: CommonValues,
  surroundings: Surroundings,
): Promise<number> {
  const { environment, stdout, stderr, signal } = surroundings;
  const { client, ticker } = connect("batch", true, common, surroundings, explainBatchWait);
  const urls = readUrls(file);
  const results = output === undefined ? new Map<string, "done" | "failed">() : readResults(output);
  const rest = urls.filter((url) => !results.has(url) || (retryFailed && results.get(url) === "failed"));
  const page = createPage(stderr, environment);
  const say = (text: string) => {
    ticker.stop();
    stderr.write(`${text}\n`);
  };
  const counts = (): { readonly done: number; readonly failed: number } => {
    const all = urls.map((url) => results.get(url));
    return {
      done: all.filter((one) => one === "done").length,
      failed: all.filter((one) => one === "failed").length,
    };
  };
  if (rest.length < urls.length)
    say(page.dim(`${urls.length - rest.length} of ${reels(urls.length)} already in ${output}.`));
  try {
    ticker.start();
    const options = {
      signal,
      onProgress: ({ progress }: { readonly progress: number }) => ticker.show(progress),
      ...(languageHint !== undefined && { languageHint }),
    };
    for await (const outcome of client.transcribeReels(rest, options)) {
      ticker.stop();
      const line = `${JSON.stringify(resultOf(outcome))}\n`;
      if (output === undefined) stdout.write(line);
      else appendFileSync(output, line);
      results.set(outcome.url, outcome.status);
      if (outcome.status === "failed") say(page.red(plainText(`${outcome.url}: ${outcome.error.message}`)));
      say(progressOf(counts(), urls.length));
      ticker.show(0);
      ticker.start();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CallError)) throw error;
    const left = urls.filter((url) => !results.has(url)).length;
    say(plainText(`Stopped with ${reels(left)} left: ${error.message}`));
    if (output !== undefined) say("Run the same command again to continue.");
    return exit.failed;
  } finally {
    ticker.stop();
  }
  if (rest.length === 0) say(progressOf(counts(), urls.length));
  return counts().failed > 0 ? exit.failed : exit.done;
}

function readUrls(file: string): string[] {
  let text: string;
  try {
    text = decode(readFileSync(file === "-" ? 0 : file));
  } catch (error) {
    throw new UsageError(`Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (/[\0\uFFFD]/.test(text)) throw new UsageError(`${file} is not text: save it as UTF-8`);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const urls = [...new Set(lines.filter((line) => line !== "" && !line.startsWith("#")))];
  if (urls.length === 0) throw new UsageError(`${file} has no addresses of reels`);
  return urls;
}

/** A byte order mark says UTF-16, which PowerShell writes with `>`; the decoder of UTF-8 drops its own. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** A result as it is kept: the transcription's fields beside the address, or why there are none. */
function resultOf(outcome: ReelOutcome): Readonly<Record<string, unknown>> {
  const { url, status } = outcome;
  if (outcome.status === "done") return { url, status, ...outcome.result };
  const { code, message, reason } = outcome.error;
  return { url, status, error: { code, message, ...(reason !== undefined && { reason }) } };
}

const reels = (count: number): string => `${count} ${count === 1 ? "reel" : "reels"}`;

const progressOf = ({ done, failed }: { readonly done: number; readonly failed: number }, total: number): string =>
  `${done} of ${reels(total)} transcribed${failed > 0 ? `, ${failed} failed` : ""}`;

function explainBatchWait({ reason, seconds }: Wait): string {
  const why =
    reason === "rateLimited"
      ? "You've reached the limit of requests per hour."
      : "The service can't take the next reel right now.";
  const minutes = Math.ceil(seconds / 60);
  return `${why} Continuing in ${seconds < 120 ? `${seconds} s` : `${minutes} min`}. Ctrl-C stops.`;
}
