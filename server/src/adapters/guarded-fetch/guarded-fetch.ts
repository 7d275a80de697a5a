import type { IncomingHttpHeaders } from "node:http";
import { FetchFailure } from "./fetch-failure.ts";
import { type Answer, guardedRequest, type Question, type Reach, readBytes, saveBody } from "./guarded-request.ts";

export interface FetchLimits {
  readonly pageBytes: number;
  readonly pageSeconds: number;
  readonly mediaSeconds: number;
  readonly silenceSeconds: number;
  readonly redirects: number;
}

const defaultFetchLimits: FetchLimits = {
  pageBytes: 4 * 1024 * 1024,
  pageSeconds: 20,
  mediaSeconds: 120,
  silenceSeconds: 10,
  redirects: 4,
};

/** The headers go to the origin of the first URL only, never to another one. */
export interface PageQuestion extends Partial<Question> {
  /**
   * Says whether to follow a redirect to this URL; otherwise the redirect is the response. Redirects of a POST are never
   * followed.
   */
  readonly follow?: (target: URL) => boolean;
}

/** A response of any status, with its body as text. */
export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  readonly text: string;
}

/** Each method throws `FetchFailure`, or the reason of the signal. */
export interface GuardedFetch {
  /** Returns the response whatever its status is. */
  page(url: URL, question: PageQuestion, signal: AbortSignal): Promise<Page>;
  /** The body of a 200, at most `maxBytes`, and its content type, which may be empty. */
  bytes(url: URL, maxBytes: number, signal: AbortSignal): Promise<{ readonly type: string; readonly bytes: Buffer }>;
  /**
   * Writes the body of a 200, which must not be empty, to `file`, replacing its content. `onSign` is called as in `Question`.
   */
  download(url: URL, file: string, maxBytes: number, signal: AbortSignal, onSign?: () => void): Promise<void>;
}

/** The hosts that a guarded fetch may reach, and the browser that it imitates. */
export interface GuardedFetchOptions extends Omit<Reach, "silenceSeconds"> {
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits> | undefined;
}

/**
 * HTTP to a few known origins, on behalf of strangers: every hop is checked, and every response is bounded in bytes and time
 * (docs/decisions/reels.md).
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const limits = { ...defaultFetchLimits, ...options.limits };
  const reach: Reach = { ...options, silenceSeconds: limits.silenceSeconds };
  const common = { "user-agent": options.userAgent, accept: "*/*", "accept-language": "en-US,en;q=0.8" };

  async function ask(start: URL, question: Question, follow: (target: URL) => boolean, signal: AbortSignal) {
    let answer = await guardedRequest(start, question, reach, signal);
    for (let hop = 0; ; hop += 1) {
      const target = redirectOf(answer);
      if (target === undefined || question.method === "POST" || !follow(target)) return answer;
      answer.message.destroy();
      if (hop === limits.redirects) throw new FetchFailure("refused", `${start.host} redirects without end`);
      const headers = target.origin === start.origin ? question.headers : common;
      answer = await guardedRequest(target, { ...question, headers }, reach, signal);
    }
  }

  async function askForMedia(url: URL, signal: AbortSignal, onSign?: () => void): Promise<Answer> {
    const answer = await ask(url, { method: "GET", headers: common, onSign }, () => true, signal);
    if (answer.status === 200) return answer;
    answer.message.destroy();
    throw new FetchFailure("badStatus", `${answer.url.host} answered ${answer.status} for the media`);
  }

  return {
    async page(url, question, signal) {
      const { method = "GET", headers = {}, body, onSign, follow = () => true } = question;
      return withinSeconds(limits.pageSeconds, url, signal, async (bounded) => {
        const all = { ...common, "accept-encoding": "gzip", ...headers };
        const answer = await ask(url, { method, headers: all, body, onSign }, follow, bounded);
        const bytes = await readBytes(answer, limits.pageBytes, bounded);
        return { status: answer.status, headers: answer.headers, url: answer.url, text: bytes.toString("utf8") };
      });
    },
    async bytes(url, maxBytes, signal) {
      return withinSeconds(limits.mediaSeconds, url, signal, async (bounded) => {
        const answer = await askForMedia(url, bounded);
        const type = answer.headers["content-type"] ?? "";
        return { type, bytes: await readBytes(answer, maxBytes, bounded) };
      });
    },
    async download(url, file, maxBytes, signal, onSign) {
      await withinSeconds(limits.mediaSeconds, url, signal, async (bounded) => {
        const answer = await askForMedia(url, bounded, onSign);
        await saveBody(answer, file, maxBytes, bounded);
      });
    },
  };
}

function redirectOf(answer: Answer): URL | undefined {
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return undefined;
  if (!URL.canParse(location, answer.url.href))
    throw new FetchFailure("unreachable", `${answer.url.host} redirects to no URL`);
  return new URL(location, answer.url);
}

async function withinSeconds<Value>(
  seconds: number,
  url: URL,
  signal: AbortSignal,
  work: (bounded: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const deadline = AbortSignal.timeout(seconds * 1_000);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!signal.aborted && deadline.aborted && !(error instanceof FetchFailure))
      throw new FetchFailure("unreachable", `${url.host} took longer than ${seconds} s`, error);
    throw error;
  }
}
