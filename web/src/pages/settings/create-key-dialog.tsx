import { useState } from "react";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Note } from "../../components/note.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import type { Output } from "../../api/operation-types.ts";
import { endOf } from "../../components/notices/key-end.ts";
import { counted } from "../../format/number.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { emptyKey, NewKeyFields, problemsOf } from "./new-key-fields.tsx";

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The expired key whose place the new one takes, with what it used where keys are counted. */
  readonly replaced: { readonly name: string; readonly used: number } | undefined;
}

/** Asks for a name, what the key may do and until when, then shows the key once. */
export function CreateKeyDialog({ open, onClose, replaced }: Props) {
  const [made, setMade] = useState<Output<"createKey">>();
  const [wanted, setWanted] = useState(emptyKey);
  const [checked, setChecked] = useState(false);
  const create = useChange("createKey", {
    stale: ["listKeys"],
    onDone: (output) => setMade(output),
  });
  const close = (): void => {
    setMade(undefined);
    setWanted(emptyKey);
    setChecked(false);
    // The secret is kept nowhere once it was shown.
    create.reset();
    onClose();
  };
  const submit = (): void => {
    setChecked(true);
    if (Object.keys(problemsOf(wanted)).length > 0 || create.isPending) return;
    const { name, lifetime, date, readOnly } = wanted;
    create.mutate({ name: name.trim(), expiresAt: endOf(lifetime, date), readOnly });
  };
  if (open && made !== undefined) return <NewKeyDialog made={made} onClose={close} />;
  return (
    <Dialog open={open} onClose={close} title="New key" insistent={create.isPending}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <NewKeyFields
          value={wanted}
          problems={checked ? problemsOf(wanted) : {}}
          onChange={(change) => setWanted({ ...wanted, ...change })}
        />
        {replaced && (
          <Note kind="warn" icon="warn">
            <p>
              “<bdi>{replaced.name}</bdi>” has expired. It will be removed, and the new key takes its place.
              {replaced.used > 0 &&
                ` The ${counted(replaced.used, "transcription", "transcriptions")} it used still count.`}
            </p>
          </Note>
        )}
        <ErrorNote error={create.error} onRetry={submit} />
        <DialogButtons>
          <Button kind="quiet" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" busy={create.isPending ? "Creating…" : undefined}>
            Create key
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
