import type { Usage } from "@reelscript/contract";
import { button } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { readLibrary } from "../service/library.ts";

/** Reels that are selected on the page, and what they cost, before anything is asked for. */
export function createSelectPart(needs: {
  readonly usage: Usage | undefined;
  readonly begin: (codes: readonly string[]) => void;
  readonly cancel: () => void;
}) {
  const node = element("div", { class: "collecting grow" });
  let chosen: readonly string[] = [];
  let owned: ReadonlySet<string> = new Set();
  void readLibrary().then(({ scripts }) => {
    owned = new Set(Object.keys(scripts));
    show();
  });

  function show(): void {
    const { length } = chosen;
    const start = button(
      length === 0 ? "Transcribe" : `Transcribe ${counted(length, "reel", "reels")}`,
      () => needs.begin(chosen),
      { isLarge: true },
    );
    start.disabled = length === 0;
    fill(
      node,
      element("p", { role: "status" }, element("b", { class: "figure" }, exactNumber(length)), " selected"),
      element("p", {}, length === 0 ? "Click reels on the page to select them." : costOf(chosen, owned, needs.usage)),
      start,
      button("Cancel", needs.cancel, { kind: "quiet" }),
    );
  }
  show();

  return {
    node,
    choose(codes: readonly string[]): void {
      chosen = codes;
      show();
    },
  };
}

export function costOf(
  codes: readonly string[],
  owned: ReadonlySet<string>,
  usage: Pick<Usage, "transcriptions"> | undefined,
): string {
  const free = codes.filter((code) => owned.has(code)).length;
  const most = codes.length - free;
  const already = free > 0 ? `${counted(free, "reel is", "reels are")} in your library and free. ` : "";
  if (most === 0) return `${already}This costs nothing.`;
  const cost = `This uses at most ${counted(most, "transcription", "transcriptions")}; reels that someone has already transcribed are free.`;
  if (usage === undefined) return already + cost;
  const left = Math.max(0, usage.transcriptions.limit - usage.transcriptions.used);
  return `${already}${cost} You have ${exactNumber(left)} left.`;
}
