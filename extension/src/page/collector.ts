import { scrollBehavior } from "../interface/element.ts";
import { mostReels, type CollectedReel, type Collecting, type CollectTrouble } from "../messages/page-messages.ts";
import { gridTiles } from "./marks.ts";
import type { ReelMemory } from "./reel-memory.ts";
import { pageLocationOf } from "../platform/page-location.ts";
import type { SeenReel } from "../platform/read-reels.ts";

/** The reels of one profile, as far as its page has loaded them. */
interface Collection {
  readonly handle: string;
  /** Codes that the page showed in its grid, however it loaded them. */
  readonly gridCodes: Set<string>;
  state: Collecting["state"];
  trouble: CollectTrouble | null;
  idle: number;
}

function reelsOf({ handle, gridCodes }: Collection, memory: ReelMemory): SeenReel[] {
  const mine = [...memory.all()].filter(
    (reel) => reel.handle === handle || (reel.handle === null && gridCodes.has(reel.code)),
  );
  return mine.slice(0, mostReels);
}

const reportableReels = (collection: Collection, memory: ReelMemory): CollectedReel[] =>
  reelsOf(collection, memory).map(({ code, caption, views, likes, comments, takenAt, mintedAt, seconds }) => ({
    code,
    caption,
    views,
    likes,
    comments,
    // Reports count by days and hours.
    takenAt: takenAt ?? mintedAt,
    seconds,
  }));

/** Finds the reason why collecting can't continue right now. */
function hindranceOf({ handle }: Collection, memory: ReelMemory): CollectTrouble | undefined {
  if (location.pathname.startsWith("/accounts/login")) return "login";
  const pageLocation = pageLocationOf(new URL(location.href));
  if (pageLocation.kind !== "profile" || pageLocation.handle !== handle) return "left";
  return navigator.onLine ? memory.wall() : "offline";
}

/** Finds the fault of a collection whose page has nothing more to load. */
function shortfallOf(collection: Collection, memory: ReelMemory): CollectTrouble | null {
  const reelCount = reelsOf(collection, memory).length;
  const unread = [...collection.gridCodes].filter((code) => memory.get(code) === undefined).length;
  if (reelCount === 0 && memory.isPrivate(collection.handle)) return "private";
  if (unread > reelCount) return "drift";
  return reelCount === 0 ? "empty" : null;
}

/** Pauses between two scrolls, in milliseconds, about as long as those of a person looking at the pictures. */
const shortestPause = 550;
const longestPause = 1_000;
/** After this many checks without anything new at the end of the page, there is nothing more. */
const mostIdle = 4;

/** Scrolls through a profile and counts what the page loads meanwhile. It sends no requests to the platform. */
export function createCollector(memory: ReelMemory, onChange: (state: Collecting) => void) {
  let current: Collection | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    if (current === undefined) return;
    const { handle, state, trouble } = current;
    onChange({ type: "collecting", handle, state, trouble, codes: reelsOf(current, memory).map(({ code }) => code) });
  }

  function enter(collection: Collection, state: Collecting["state"], trouble: CollectTrouble | null = null): void {
    collection.state = state;
    collection.trouble = trouble;
    clearTimeout(timer);
    if (state === "running") timer = setTimeout(() => step(collection), 0);
    tell();
  }

  function step(collection: Collection): void {
    if (collection !== current || collection.state !== "running") return;
    const before = reelsOf(collection, memory).length;
    for (const { code } of gridTiles()) collection.gridCodes.add(code);
    const hindrance = hindranceOf(collection, memory);
    if (hindrance !== undefined) return enter(collection, "paused", hindrance);
    if (before >= mostReels) return enter(collection, "done");
    const { scrollHeight } = document.documentElement;
    const isAtEnd = scrollY + innerHeight >= scrollHeight - 8;
    scrollBy({ top: innerHeight * 0.85, behavior: scrollBehavior() });
    timer = setTimeout(
      () => {
        const isIdle =
          isAtEnd &&
          !memory.isLoading() &&
          reelsOf(collection, memory).length === before &&
          document.documentElement.scrollHeight === scrollHeight;
        collection.idle = isIdle ? collection.idle + 1 : 0;
        tell();
        if (collection.idle >= mostIdle) enter(collection, "done", shortfallOf(collection, memory));
        else step(collection);
      },
      shortestPause + Math.random() * (longestPause - shortestPause),
    );
  }

  return {
    start(handle: string): void {
      clearTimeout(timer);
      memory.readPage();
      memory.forgetWall();
      current = { handle, gridCodes: new Set(), state: "running", trouble: null, idle: 0 };
      enter(current, "running");
    },
    pause(): void {
      if (current?.state === "running") enter(current, "paused");
    },
    resume(): void {
      if (current === undefined || current.state === "done") return;
      memory.forgetWall();
      current.idle = 0;
      enter(current, "running");
    },
    /** Ends with the reels found so far. */
    finish(): void {
      if (current !== undefined) enter(current, "done", current.trouble);
    },
    forget(): void {
      clearTimeout(timer);
      current = undefined;
    },
    tell,
    collected(): { readonly handle: string; readonly reels: readonly CollectedReel[] } | undefined {
      if (current === undefined) return undefined;
      return { handle: current.handle, reels: reportableReels(current, memory) };
    },
  };
}
