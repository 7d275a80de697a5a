import { useState } from "react";
import type { Output } from "@reelscript/client/core";
import { useChange } from "../../../../api/use-operation.ts";
import { Button } from "../../../../components/button.tsx";
import { ConfirmDialog } from "../../../../components/dialog.tsx";
import { ErrorNote, Note } from "../../../../components/page.tsx";
import { Moment } from "../../../../components/inline.tsx";
import { showToast } from "../../../../components/toast.tsx";
import type { Correctable } from "./correction-draft.ts";
import { staleByCorrection, takeBack } from "./use-save-correction.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly found: Correctable | undefined;
  readonly comparing: boolean;
  readonly onCompare: (comparing: boolean) => void;
}

export function CorrectionNote({ script: { id, correctedAt }, found, comparing, onCompare }: Props) {
  const [asking, setAsking] = useState(false);
  const { mutate, error, isPending } = useChange("removeScriptCorrection", {
    stale: staleByCorrection,
    onDone: ({ version }) => {
      onCompare(false);
      const texts = found?.segments.map(({ text }) => text);
      // The segments of a newer transcript are others.
      const undo = found?.outdated === false && texts ? () => void takeBack(id, texts, version) : undefined;
      showToast("Original restored", { undo });
    },
  });
  const restore = (): void => {
    setAsking(false);
    mutate({ id, ifVersion: found?.version });
  };
  if (correctedAt === undefined) return undefined;
  return (
    <>
      <Note
        icon="edit"
        actions={
          <>
            <Button kind="quiet" size="small" aria-pressed={comparing} onClick={() => onCompare(!comparing)}>
              Compare with original
            </Button>
            <Button
              kind="ghost"
              size="small"
              icon="undo"
              busy={isPending && "Restoring…"}
              disabled={found === undefined}
              onClick={() => (found?.outdated === true ? setAsking(true) : restore())}
            >
              Restore original
            </Button>
          </>
        }
      >
        You corrected this transcript on <Moment at={correctedAt} style="long" />.
        {found?.outdated === true && " The reel was transcribed again since; the original is now newer."}
      </Note>
      <ErrorNote error={error} onRetry={restore} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={restore}
        title="Use the newer transcript?"
        keep="Keep corrections"
        action="Delete corrections"
      >
        This reel was transcribed again after you corrected it. Your corrections don’t fit the new transcript and will
        be deleted. You can’t undo this.
      </ConfirmDialog>
    </>
  );
}
