import { createBatch } from "./batch.ts";
import type { PanelParts } from "./screen.ts";
import { createSelectPart } from "./select-part.ts";

/** Reels of a profile that the person chooses on the page and has transcribed. */
export function createChoiceToTranscribe(
  parts: PanelParts,
  onChange: { readonly show: (node: HTMLElement) => void; readonly leave: () => void },
) {
  let batch: ReturnType<typeof createBatch> | undefined;
  const select = createSelectPart({
    usage: parts.usage(),
    begin: (codes) => {
      parts.tell({ type: "select", isOn: false });
      batch = createBatch(codes, parts, onChange.leave);
      onChange.show(batch.node);
    },
    cancel: () => {
      parts.tell({ type: "select", isOn: false });
      onChange.leave();
    },
  });
  onChange.show(select.node);
  parts.tell({ type: "select", isOn: true });

  return {
    choose: (codes: readonly string[]): void => select.choose(codes),
    isBusy: (): boolean => batch?.isBusy() === true,
    stop: (): void => batch?.stop(),
  };
}
