import { appendFileSync, readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/**
 * What became of the reels in the output of a batch; the last line of a reel counts. A line that was
 * cut off when the program ended is left out. Throws `UsageError` for a file of something else, so that nothing is appended to it.
 */
export function readResults(file: string): Map<string, "done" | "failed"> {
  const results = new Map<string, "done" | "failed">();
  let text: string;
  try {
    // Makes the file, so that a folder that isn't there is noticed before a transcription is spent.
    appendFileSync(file, "");
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Can't use ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const line of text.split("\n")) {
    const result = readResult(line);
    if (result !== undefined) results.set(result.url, result.status);
    else if (!isCutOff(line)) throw new UsageError(`${file} is not the output of a batch; name another file`);
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
