import { mostReels, type CollectedReel, type Collecting, type CollectTrouble } from "../messages/page-messages.ts";
import { hindranceOf, reelsOf, reportableReels, shortfallOf, type Collection } from "./collection.ts";
import { gridTiles } from "./grid.ts";
import type { ReelMemory } from "./reel-memory.ts";

/** Milliseconds between two scrolls: about what somebody takes who looks at the pictures. */
const shortestPause = 550;
const longestPause = 1_000;
/** So often nothing new at the end of the page means that there is nothing more. */
const mostIdle = 4;

/** Scrolls through a profile and counts what the page loads on the way. It asks the platform for nothing itself. */
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
    for (const { code } of gridTiles()) collection.shown.add(code);
    const hindrance = hindranceOf(collection, memory);
    if (hindrance !== undefined) return enter(collection, "paused", hindrance);
    if (before >= mostReels) return enter(collection, "done");
    const { scrollHeight } = document.documentElement;
    const isAtEnd = scrollY + innerHeight >= scrollHeight - 8;
    scrollBy({ top: innerHeight * 0.85, behavior: "smooth" });
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
      current = { handle, shown: new Set(), state: "running", trouble: null, idle: 0 };
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
    /** Ends with what there is. */
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
