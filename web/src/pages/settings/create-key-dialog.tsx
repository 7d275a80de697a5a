import { useState } from "react";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Input } from "../../components/field.tsx";
import type { Output } from "../../api/operation-types.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for a name, then shows the key once. */
export function CreateKeyDialog({ open, onClose }: Props) {
  const [made, setMade] = useState<Output<"createKey">>();
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const create = useChange("createKey", {
    stale: ["listKeys"],
    onDone: (output) => setMade(output),
  });
  const close = (): void => {
    setMade(undefined);
    setName("");
    setMissing(false);
    // The secret is kept nowhere once it was shown.
    create.reset();
    onClose();
  };
  const submit = (): void => {
    const given = name.trim();
    setMissing(given === "");
    if (given !== "" && !create.isPending) create.mutate({ name: given });
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
        <Input
          label="Name"
          hint="So you can tell your keys apart, for example by where you use it."
          error={missing && name.trim() === "" ? "Give the key a name." : undefined}
          placeholder="Notebook"
          maxLength={60}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
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
