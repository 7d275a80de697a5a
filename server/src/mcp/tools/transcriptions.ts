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
  readonly continuesAt?: string;
  readonly links: readonly ShownLink[];
}

/** Seconds until a call for an unfinished batch usually finds more of it done. */
const leastWait = 10;
const longestWait = 60;

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
      continuesAt: z.string(),
      links: z.array(z.object({})),
    }),
    from: (output) => ("links" in output ? batchContent(output) : output),
  },
  text: (content) => ("links" in content ? batchText(content) : compactText(content)),
};

function batchContent({ id, status, continuesAt, links }: SentBatch): BatchContent {
  return {
    batch: id ?? "",
    finished: status === "finished",
    ...(continuesAt !== undefined && { continuesAt }),
    links: links.map(({ url, status: state, scriptId, error }) => ({
      url,
      status: state,
      ...(scriptId !== undefined && { scriptId }),
      ...(error !== undefined && { error: `[${error.code}] ${error.message}` }),
    })),
  };
}

function batchText({ batch, finished, continuesAt, links }: BatchContent): string {
  const done = links.filter(({ status }) => status === "done");
  const failed = links.filter(({ status }) => status === "failed");
  const left = links.length - done.length - failed.length;
  const seconds = Math.min(longestWait, Math.max(leastWait, 4 * left));
  const scripts = done.flatMap(({ scriptId }) => scriptId ?? []);
  return [
    `Batch ${batch}: ${done.length} of ${links.length} done${failed.length > 0 ? `, ${failed.length} failed` : ""}.`,
    ...(finished || left === 0
      ? []
      : [
          continuesAt === undefined
            ? `Call again with the same urls in about ${seconds} seconds.`
            : `The hour's limit is reached. It continues automatically at ${continuesAt}.`,
        ]),
    ...(scripts.length > 0
      ? [`Read them with list_my_scripts, up to ${wholeScripts} at a time, ids: ${scripts.join(", ")}`]
      : []),
    ...failed.map(({ url, error }) => `${url}: ${error}`),
  ].join("\n");
}
