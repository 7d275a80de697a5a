import type { Key } from "@reelscript/contract";
import { useState } from "react";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Input } from "../../components/field.tsx";

interface Props {
  readonly of: Pick<Key, "id" | "name">;
  readonly onClose: () => void;
}

export function RenameKeyDialog({ of: { id, name: present }, onClose }: Props) {
  const [name, setName] = useState(present);
  const [isMissing, setMissing] = useState(false);
  const rename = useChange("renameKey", { stale: ["listKeys", "listKeyRequests"], onDone: onClose });
  const submit = (): void => {
    const given = name.trim();
    setMissing(given === "");
    if (given !== "" && !rename.isPending) rename.mutate({ id, name: given });
  };
  return (
    <Dialog open onClose={onClose} title="Rename key" insistent={rename.isPending}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Input
          label="Name"
          error={isMissing && name.trim() === "" ? "Give the key a name." : undefined}
          maxLength={60}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ErrorNote error={rename.error} onRetry={submit} />
        <DialogButtons>
          <Button kind="quiet" onClick={onClose} disabled={rename.isPending}>
            Cancel
          </Button>
          <Button type="submit" busy={rename.isPending ? "Saving…" : undefined}>
            Save name
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
