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

/** The platform may refuse to load more for one of these reasons. */
export type Wall = "login" | "rateLimited";

const mostReels = 5_000;
/** After this many milliseconds, an answer may never come. */
const longestLoad = 60_000;

export type ReelMemory = ReturnType<typeof createReelMemory>;

/** Remembers what this page has loaded since it was opened, which is stored nowhere else. */
export function createReelMemory() {
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
    get: (code: string): SeenReel | undefined => reels.get(code),
    all: (): Iterable<SeenReel> => reels.values(),
    isPrivate: (handle: string): boolean => privateHandles.has(handle),
    wall: (): Wall | undefined => wall,
    /** True while the page waits for an answer that may hold more reels. */
    isLoading: (): boolean => loadingSince !== undefined && Date.now() - loadingSince < longestLoad,
    forgetWall: (): void => void (wall = undefined),
    /** The first reels of a page are in the page itself. */
    readPage(): void {
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
  // A page instead of data, though all seems well, is the one to log in on.
  if (status < 300 && json === undefined && /^\s*</.test(body)) return "login";
  return status === 401 || needsLogin === true ? "login" : undefined;
}
