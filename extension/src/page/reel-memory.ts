import { readReels, mergeReels, type SeenReel } from "../platform/read-reels.ts";
import {
  answerEvent,
  isSeenAnswer,
  listeningEvent,
  loadingEvent,
  parseJson,
  watchingEvent,
  type SeenAnswer,
} from "../platform/seen-answer.ts";

/** Possible reasons why the platform refuses to load more. */
type Wall = "login" | "rateLimited";

const mostReels = 5_000;
/** After this many milliseconds, a response may never come. */
const longestLoad = 60_000;

/** Remembers at most 5,000 reels, those that this page has loaded since it was opened. */
export interface ReelMemory {
  get(code: string): SeenReel | undefined;
  all(): Iterable<SeenReel>;
  isPrivate(handle: string): boolean;
  /** The platform's last reason to refuse; `undefined` if it doesn't refuse. */
  wall(): Wall | undefined;
  /** True while the page waits for a response that may contain more reels. */
  isLoading(): boolean;
  forgetWall(): void;
  /** Learns the first reels of a page, which are in the page itself. */
  readPage(): void;
}

/** Keeps the reels that this page has loaded since it was opened, in memory only. */
export function createReelMemory(): ReelMemory {
  const reels = new Map<string, SeenReel>();
  const privateHandles = new Set<string>();
  let wall: Wall | undefined;
  let loadingSince: number | undefined;

  function learn(json: unknown): void {
    const seen = readReels(json);
    for (const handle of seen.privateHandles) privateHandles.add(handle);
    for (const reel of seen.reels)
      if (reels.has(reel.code) || reels.size < mostReels) reels.set(reel.code, mergeReels(reels.get(reel.code), reel));
  }

  document.addEventListener(answerEvent, (event) => {
    const { detail } = event as CustomEvent<unknown>;
    const answer = typeof detail === "string" ? parseJson(detail) : undefined;
    if (!isSeenAnswer(answer)) return;
    const json = parseJson(answer.body);
    wall = wallOf(answer, json) ?? (answer.status < 300 ? undefined : wall);
    if (json !== undefined) learn(json);
  });
  document.addEventListener(loadingEvent, (event) => {
    const { detail } = event as CustomEvent<unknown>;
    loadingSince = typeof detail === "string" && Number(detail) > 0 ? Date.now() : undefined;
  });
  const listen = (): void => void document.dispatchEvent(new CustomEvent(listeningEvent));
  document.addEventListener(watchingEvent, listen);
  listen();

  return {
    get: (code) => reels.get(code),
    all: () => reels.values(),
    isPrivate: (handle) => privateHandles.has(handle),
    wall: () => wall,
    isLoading: () => loadingSince !== undefined && Date.now() - loadingSince < longestLoad,
    forgetWall: () => void (wall = undefined),
    readPage() {
      for (const script of document.querySelectorAll('script[type="application/json"]')) {
        const json = parseJson(script.textContent ?? "");
        if (json !== undefined) learn(json);
      }
    },
  };
}

function wallOf({ status, body }: SeenAnswer, json: unknown): Wall | undefined {
  const { require_login: needsLogin, message } = (json ?? {}) as {
    readonly require_login?: unknown;
    readonly message?: unknown;
  };
  if (status === 429) return "rateLimited";
  if (typeof message === "string" && /wait a few minutes/i.test(message)) return "rateLimited";
  // The page that came instead of data, even if all seems well, is where the person has to log in.
  if (status < 300 && json === undefined && /^\s*</.test(body)) return "login";
  return status === 401 || needsLogin === true ? "login" : undefined;
}
