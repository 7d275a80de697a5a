import type { Output } from "../../api/operation-types.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ReceiptNote } from "./script/receipt-note.tsx";
import { TranscribeAgain } from "./script/transcribe-again.tsx";

/** Music, noise or silence: there is no text to copy or to download. */
export function SilentReel({ script }: { readonly script: Output<"getScript"> }) {
  return (
    <article className="stack" aria-label="Transcript">
      <EmptyState title="No speech found">This reel has only music, noise or silence.</EmptyState>
      <ReceiptNote script={script} words={0} />
      <TranscribeAgain script={script} />
    </article>
  );
}
