import { TranscribeResult, wholeScripts } from "@reelscript/contract";
import * as z from "zod";
import { compactText } from "./compact-text.ts";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

interface TranscribeInput {
  readonly url?: string;
  readonly urls?: readonly string[];
  readonly languageHint?: string;
  readonly translate?: "en";
}

type SentBatch = OutputOf<"createBatch">;
type TranscribeOutput = OutputOf<"transcribeReel"> | SentBatch;

interface ShownLink {
  readonly url: string;
  readonly status: string;
  readonly scriptId?: string;
  readonly error?: string;
}

interface BatchContent {
  readonly batch: string;
  readonly finished: boolean;
  readonly waitingFor?: SentBatch["waitingFor"];
  readonly continuesAt?: string;
  readonly secondsLeft?: number;
  readonly links: readonly ShownLink[];
}

/** Seconds after which a call for an unfinished batch finds more of it done. */
const leastWait = 10;
const longestWait = 60;

/** Reasons why links haven't begun, as a sentence ends. */
const reasonsToWait: Readonly<Record<NonNullable<SentBatch["waitingFor"]>, string>> = {
  rateLimit: "for the hour's limit",
  quota: "for your quota",
  queue: "for a place in the queue",
  platform: "until the platform answers again",
};

/** One reel, or a batch of them: with the same links the tool answers with the batch that is open. */
export const transcribeReel: ToolShape<TranscribeOutput, TranscribeInput, OutputOf<"transcribeReel"> | BatchContent> = {
  call({ url, urls, languageHint, translate }) {
    const hint = languageHint === undefined ? {} : { languageHint };
    if (urls !== undefined) return { operation: "createBatch", input: { urls, ...hint } };
    return { operation: "transcribeReel", input: { url, ...hint, ...(translate !== undefined && { translate }) } };
  },
  answer: {
    schema: z.object({
      ...TranscribeResult.shape,
      batch: z.string(),
      finished: z.boolean(),
      waitingFor: z.string(),
      continuesAt: z.string(),
      secondsLeft: z.int(),
      links: z.array(z.object({})),
    }),
    from: (output) => ("links" in output ? batchContent(output) : output),
  },
  text: (content) => ("links" in content ? batchText(content) : compactText(content)),
};

function batchContent({ id, status, waitingFor, continuesAt, secondsLeft, links }: SentBatch): BatchContent {
  return {
    batch: id ?? "",
    finished: status === "finished",
    ...(waitingFor !== undefined && { waitingFor }),
    ...(continuesAt !== undefined && { continuesAt }),
    ...(secondsLeft !== undefined && { secondsLeft }),
    links: links.map(({ url, status: state, scriptId, error }) => ({
      url,
      status: state,
      ...(scriptId !== undefined && { scriptId }),
      ...(error !== undefined && { error: `[${error.code}] ${error.message}` }),
    })),
  };
}

function batchText(content: BatchContent): string {
  const { batch, links } = content;
  const done = links.filter(({ status }) => status === "done");
  const failed = links.filter(({ status }) => status === "failed");
  const scripts = done.flatMap(({ scriptId }) => scriptId ?? []);
  return [
    `Batch ${batch}: ${done.length} of ${links.length} done${failed.length > 0 ? `, ${failed.length} failed` : ""}.`,
    ...restOf(content),
    ...(scripts.length > 0
      ? [`Read them with list_my_scripts, up to ${wholeScripts} at a time, ids: ${scripts.join(", ")}`]
      : []),
    ...failed.map(({ url, error }) => `${url}: ${error}`),
  ].join("\n");
}

/** Sentences on the links that are left, and on when to call again. */
function restOf({ finished, waitingFor, continuesAt, secondsLeft, links }: BatchContent): string[] {
  const waiting = links.filter(({ status }) => status === "waiting").length;
  const running = links.filter(({ status }) => status === "queued" || status === "running").length;
  if (finished || waiting + running === 0) return [];
  const until = continuesAt === undefined ? "" : ` until ${continuesAt}`;
  const parts = [
    ...(running > 0 ? [`${running} under way`] : []),
    ...(waiting > 0
      ? [`${waiting} waiting${waitingFor === undefined ? "" : ` ${reasonsToWait[waitingFor]}${until}`}`]
      : []),
  ];
  const left = secondsLeft === undefined ? "" : `, about ${durationOf(secondsLeft)} left`;
  const seconds = Math.min(longestWait, Math.max(leastWait, secondsLeft ?? longestWait));
  return [
    `${parts.join(", ")}${left}. The batch continues without you.`,
    ...(running > 0 || waitingFor === undefined
      ? [`Call again with the same urls in ${seconds} seconds.`]
      : [`Call again with the same urls${continuesAt === undefined ? " later" : " after that"}.`]),
  ];
}

const durationOf = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} min`;
