const longestMessage = 1_000;
const longestStack = 4_000;
const deepestCause = 3;

/** An error as it may be logged. Fields that libraries hang onto errors are left out: they hold rows, bodies and headers. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cleanText(String(error), longestMessage) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: cleanText(error.message, longestMessage),
    ...(typeof code === "string" && { code: cleanText(code, 100) }),
    ...(error.stack !== undefined && { stack: stackOf(error) }),
    ...(error.cause !== undefined && depth < deepestCause && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Only the frames: the first lines repeat the message. */
function stackOf({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.join("\n").slice(0, longestStack);
}

/** Without keys, credentials, query strings and pieces of documents that were read. */
function cleanText(text: string, longest: number): string {
  return text
    .slice(0, 4 * longest)
    .replace(/\b(svc_sk_|sk_live_|sk_test_|rk_live_|rk_test_|whsec_)\w+/g, "$1…")
    .replace(/\b(Bearer|Basic)\s+\S+/gi, "$1 …")
    .replace(/\/\/[^\s/@"'<>]+@/g, "//…@")
    .replace(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1?…")
    .replace(/(["'“])(?:(?!\1).)*\1?(\.\.\.)?( is not valid JSON)/gs, "…$3")
    .slice(0, longest);
}
