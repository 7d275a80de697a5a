import type { Output } from "../../api/operation-types.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ReceiptNote } from "./receipt-note.tsx";

/** Music, noise or silence: there is no text to copy or to download. */
export function SilentReel({ script }: { readonly script: Output<"getScript"> }) {
  return (
    <article className="stack" aria-label="Transcript">
      <EmptyState title="Nobody speaks here">Only music, noise or silence was heard.</EmptyState>
      <ReceiptNote script={script} words={0} />
    </article>
  );
}
