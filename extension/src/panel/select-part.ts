import type { Usage } from "@reelscript/contract";
import { button, note } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { readLibrary } from "../service/library.ts";
import { actButton } from "./act-button.ts";
import { addUnsent } from "../service/sent-reels.ts";
import { createBatchPart } from "./batch-part.ts";
import type { PanelParts } from "./screen.ts";

interface SelectPartOptions {
  /** The profile that the page shows. */
  readonly handle: string;
  /** True if reels were sent earlier whose end nobody has seen; then these are shown. */
  readonly isSent: boolean;
  readonly show: (node: HTMLElement) => void;
  readonly leave: () => void;
}

/** The selected reels on the page, their price, and the progress of their transcription. */
export function createSelectPart(parts: PanelParts, { handle, isSent, show, leave }: SelectPartOptions) {
  const node = element("div", { class: "collecting grow" });
  const trouble = element("div");
  let selection: readonly string[] = [];
  let owned: ReadonlySet<string> = new Set();
  let batch: ReturnType<typeof createBatchPart> | undefined;
  const selectOnPage = (isOn: boolean): void => parts.tell({ type: "select", isOn });

  async function begin(): Promise<void> {
    const before = await addUnsent(handle, selection);
    if (before !== undefined) {
      const reels = counted(before, "reel isn’t", "reels aren’t");
      fill(
        trouble,
        note("bad", paragraph(`${reels} sent yet. Send them first, then these ${exactNumber(selection.length)}.`)),
      );
      return;
    }
    // Ends selecting and discards the selection.
    selectOnPage(false);
    showBatches(true);
  }

  function showBatches(isSending: boolean): void {
    batch = createBatchPart(parts, { isSending, leave });
    show(batch.node);
  }

  function cancel(): void {
    selectOnPage(false);
    leave();
  }

  function draw(): void {
    const { length } = selection;
    const start = actButton(length === 0 ? "Transcribe" : `Transcribe ${counted(length, "reel", "reels")}`, begin, {
      isLarge: true,
    });
    start.disabled = length === 0;
    fill(
      node,
      element("p", { role: "status" }, element("b", { class: "figure" }, exactNumber(length)), " selected"),
      paragraph(length === 0 ? "Click reels on the page to select them." : costOf(selection, owned, parts.usage())),
      start,
      trouble,
      button("Cancel", cancel, { kind: "quiet" }),
    );
  }

  function select(): void {
    draw();
    show(node);
    selectOnPage(true);
    void readLibrary().then(({ scripts }) => {
      owned = new Set(Object.keys(scripts));
      draw();
    });
  }

  if (isSent) showBatches(false);
  else select();
  return {
    choose(codes: readonly string[]): void {
      selection = codes;
      fill(trouble);
      draw();
    },
    isBusy: (): boolean => batch?.isBusy() === true,
    stop: (): void => batch?.stop(),
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
