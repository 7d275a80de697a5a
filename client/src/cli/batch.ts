import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { addressesIn, mostBatchLinks } from "@reelscript/contract/values";
import { CallError } from "../call-error.ts";
import type { Client } from "../create-client.ts";
import type { ReelOutcome } from "../follow-batch.ts";
import type { Output } from "../operation-types.ts";
import type { Wait } from "../retry.ts";
import { connect, type Following } from "./call-service.ts";
import { UsageError } from "./explain-error.ts";
import type { CommonValues } from "./parse-arguments.ts";
import { createPage, exit, type Page, type Surroundings } from "./surroundings.ts";
import { plainText } from "./text.ts";

export interface BatchInput {
  /** A file, `-`, `@handle`, `search:words` or ids of batches. */
  readonly list: string;
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly retryFailed?: boolean;
  readonly languageHint?: string;
}

/** Several ids have commas between them. */
const batchIds = /^bat_\w+(,bat_\w+)*$/;

/** Sends and follows batches. Returns the exit code: failed if a reel has no transcript in the end. */
export async function runBatch(
  input: BatchInput,
  common: CommonValues,
  surroundings: Surroundings,
  following: Following,
): Promise<number> {
  const { list, output, dryRun = false, retryFailed = false, languageHint } = input;
  const { stdout, stderr, signal } = surroundings;
  const isSent = batchIds.test(list);
  if (isSent && (dryRun || languageHint !== undefined))
    throw new UsageError(`--${dryRun ? "dry-run" : "language-hint"} needs a list: this batch was sent already`);
  if (!isSent && retryFailed) throw new UsageError("--retry-failed needs the id of a batch");
  const { client, ticker } = connect("batch", true, common, surroundings, explainBatchWait);
  const say = (text: string): void => {
    ticker.stop();
    stderr.write(`${text}\n`);
  };
  const urls = isSent ? [] : ((await urlsOfLibrary(client, list, signal)) ?? readUrls(list));
  if (output !== undefined && !dryRun) beginOutput(output);
  let ids = list.split(",");
  if (!isSent) {
    const estimate = await estimateOf(client, urls, { languageHint, signal });
    if (dryRun) {
      stdout.write(`${common.json ? JSON.stringify(estimate, undefined, 2) : sentenceOf(estimate)}\n`);
      return exit.done;
    }
    say(sentenceOf(estimate));
    ids = (await client.sendBatches(urls, { languageHint, signal })).map(({ id }) => id);
  }
  const again = `reelscript batch ${ids.join(",")}${outputFlag(output)}`;
  if (common.async) {
    stdout.write(`${ids.join("\n")}\n`);
    say(`Follow it with: ${again}`);
    return exit.done;
  }
  following.batches = again;
  try {
    return await follow(client, ids, { input, say, ticker, surroundings });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CallError) || error.code === "notFound") throw error;
    say(plainText(`Stopped: ${error.message} The service continues. Follow it with: ${again}`));
    return exit.failed;
  } finally {
    ticker.stop();
  }
}

interface FollowParts {
  readonly input: BatchInput;
  readonly say: (text: string) => void;
  readonly ticker: ReturnType<typeof connect>["ticker"];
  readonly surroundings: Surroundings;
}

/** Writes each result as it arrives. */
async function follow(
  client: Client,
  ids: readonly string[],
  { input: { output, retryFailed }, say, ticker, surroundings }: FollowParts,
): Promise<number> {
  const { environment, stdout, stderr, signal } = surroundings;
  const page = createPage(stderr, environment);
  const totals = new Map<string, number>();
  const counts = { done: 0, failed: 0 };
  let limited = 0;
  let canceled = 0;
  let continuesAt: string | undefined;
  ticker.start();
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop -- results come in the order of the list
    if (retryFailed) await client.retryBatch({ id }, { signal });
    const onProgress = (batch: Output<"getBatch">): void => {
      totals.set(id, batch.counts.total);
      canceled += batch.status === "finished" ? batch.counts.canceled : 0;
      if (batch.continuesAt !== undefined && batch.continuesAt !== continuesAt)
        say(page.yellow(`You've reached the hour's limit. The next reels begin at ${batch.continuesAt}.`));
      continuesAt = batch.continuesAt;
      ticker.start();
    };
    for await (const outcome of client.followBatch({ id }, { signal, onProgress })) {
      ticker.stop();
      const line = `${JSON.stringify(resultOf(outcome))}\n`;
      if (output === undefined) stdout.write(line);
      else appendFileSync(output, line);
      counts[outcome.status] += 1;
      if (outcome.status === "failed") {
        if (outcome.error.code === "limitReached") limited += 1;
        say(page.red(plainText(`${outcome.url}: ${outcome.error.message}`)));
      }
      const total = [...totals.values()].reduce((sum, one) => sum + one, 0);
      ticker.show({ progress: (counts.done + counts.failed) / total });
      ticker.start();
    }
  }
  const total = [...totals.values()].reduce((sum, one) => sum + one, 0);
  say(summaryOf({ ...counts, total, canceled }, page));
  if (limited > 0)
    say(`When your plan has room again: reelscript batch ${ids.join(",")} --retry-failed${outputFlag(output)}`);
  return counts.done < total ? exit.failed : exit.done;
}

const outputFlag = (output: string | undefined): string => (output === undefined ? "" : ` --output ${output}`);

interface Estimate {
  readonly links: number;
  readonly reels: number;
  readonly duplicates: number;
  readonly notReels: number;
  readonly cached: number;
  readonly fresh: number;
  readonly fit: number;
  readonly usage: Output<"createBatch">["estimate"]["usage"];
}

/** Asks for the price of the list; nothing is sent yet. */
async function estimateOf(
  client: Client,
  urls: readonly string[],
  { languageHint, signal }: { readonly languageHint: string | undefined; readonly signal: AbortSignal },
): Promise<Estimate> {
  const estimates: Output<"createBatch">["estimate"][] = [];
  for (let from = 0; from < urls.length; from += mostBatchLinks) {
    const part = urls.slice(from, from + mostBatchLinks);
    const input = { urls: part, dryRun: true, ...(languageHint !== undefined && { languageHint }) };
    // oxlint-disable-next-line no-await-in-loop -- a key has few calls at a time
    estimates.push((await client.createBatch(input, { signal })).estimate);
  }
  const sum = (read: (estimate: Output<"createBatch">["estimate"]) => number): number =>
    estimates.reduce((total, estimate) => total + read(estimate), 0);
  const { usage } = estimates.at(-1)!; // safe: a list has links
  const fresh = sum((estimate) => estimate.fresh);
  return {
    links: urls.length,
    reels: sum(({ reels }) => reels),
    duplicates: sum(({ duplicates }) => duplicates),
    notReels: sum(({ notReels }) => notReels),
    cached: sum(({ cached }) => cached),
    fresh,
    // Each part was asked with the whole quota.
    fit: Math.min(
      sum(({ fit }) => fit),
      Math.max(0, usage.limit - usage.used),
    ),
    usage,
  };
}

function sentenceOf({ links, reels, duplicates, notReels, cached, fresh, fit, usage }: Estimate): string {
  const parts = [
    counted(reels, "reel"),
    ...(duplicates > 0 ? [counted(duplicates, "duplicate")] : []),
    ...(notReels > 0 ? [`${notReels} ${notReels === 1 ? "isn't a reel" : "aren't reels"}`] : []),
    ...(cached > 0 ? [`${cached} already transcribed (free)`] : []),
  ];
  const left = Math.max(0, usage.limit - usage.used);
  const cost =
    fresh === 0
      ? "Free."
      : fit < fresh
        ? `${fit} of ${fresh} fit your plan.`
        : `Uses at most ${fresh} of your ${left} transcriptions.`;
  return `${counted(links, "link")}: ${parts.join(", ")}. ${cost}`;
}

/** Empties the file, or creates it, so that a missing folder is noticed before a transcription is spent. */
function beginOutput(file: string): void {
  let text = "";
  try {
    appendFileSync(file, "");
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Can't use ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  // A line that was cut off when the program ended is one, too.
  const isResult = (line: string): boolean => line.startsWith('{"url":') || '{"url":'.startsWith(line);
  if (!text.split("\n").every(isResult)) throw new UsageError(`${file} isn't the output of a batch; use another file`);
  writeFileSync(file, "");
}

/** The reels of an account's scripts, or of the matches of a search; `undefined` for the name of a file. */
async function urlsOfLibrary(client: Client, list: string, signal: AbortSignal): Promise<string[] | undefined> {
  const [, kind, words = ""] = /^(@|search:)(.+)$/s.exec(list) ?? [];
  if (kind === undefined) return undefined;
  const urls: string[] = [];
  const filter = kind === "@" ? { account: words } : { query: words };
  for await (const { reelUrl } of client.allScripts(filter, { signal })) urls.push(reelUrl);
  if (urls.length === 0) throw new UsageError(`Your library has no scripts for ${list}`);
  return urls;
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
  const written = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const urls = [...new Set(written.flatMap(urlsIn))];
  if (urls.length === 0) throw new UsageError(`${file} has no addresses of reels`);
  return urls;
}

/** The addresses of a line, in quotation marks, tables and sentences too; a line without one is sent as it is. */
function urlsIn(line: string): readonly string[] {
  const addresses = line.split(/[,;\t]/).flatMap(addressesIn);
  return addresses.length > 0 ? addresses : [line];
}

/** A byte order mark says UTF-16, which PowerShell writes with `>`; the decoder of UTF-8 drops its own. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** A stored result: the transcript's fields with the address, or the reason why there are none. */
function resultOf(outcome: ReelOutcome): Readonly<Record<string, unknown>> {
  const { url, status } = outcome;
  if (outcome.status === "done") return { url, status, ...outcome.result };
  const { code, message, reason } = outcome.error;
  return { url, status, error: { code, message, ...(reason !== undefined && { reason }) } };
}

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

interface Counts {
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
  readonly total: number;
}

function summaryOf({ done, failed, canceled, total }: Counts, page: Page): string {
  const rest = [
    ...(failed > 0 ? [page.red(`${failed} failed`)] : []),
    ...(canceled > 0 ? [`${canceled} canceled`] : []),
  ];
  return [`${done} of ${counted(total, "reel")} transcribed`, ...rest].join(", ");
}

function explainBatchWait({ reason, seconds }: Wait): string {
  const why =
    reason === "rateLimited"
      ? "The service accepts no more requests with this key right now."
      : "The service can't take the request right now.";
  const minutes = Math.ceil(seconds / 60);
  return `${why} Continuing in ${seconds < 120 ? `${seconds} s` : `${minutes} min`}. Ctrl-C stops.`;
}
