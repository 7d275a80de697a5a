import { useState } from "react";
import { cutVisible, tagLimits } from "@reelscript/contract/values";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted } from "../../format.ts";

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Adds a tag to the selected scripts, or removes one. */
export function TagDialog({ ids, onClose }: Props) {
  const tags = useOperation("listTags", {}).data?.tags ?? [];
  const [name, setName] = useState("");
  const [isRemoval, setIsRemoval] = useState(false);
  const change = useChange("tagScripts", {
    stale: ["searchMyScripts", "listTags", "getScript"],
    onDone: ({ scripts }) => {
      showToast(`${isRemoval ? "Removed from" : "Added to"} ${counted(scripts, "script", "scripts")}`);
      onClose();
    },
  });
  const tag = name.trim();
  return (
    <ChangeDialog
      title={`Tag ${counted(ids.length, "script", "scripts")}`}
      about={`You can use ${tagLimits.perAccount} different tags.`}
      action={isRemoval ? "Remove tag" : "Add tag"}
      busy="Saving…"
      change={change}
      onClose={onClose}
      onSubmit={() => {
        if (tag !== "") change.mutate({ ids: [...ids], add: isRemoval ? [] : [tag], remove: isRemoval ? [tag] : [] });
      }}
    >
      <Input
        label="Tag"
        value={name}
        required
        list="tags-of-account"
        autoComplete="off"
        onChange={(event) => setName(cutVisible(event.target.value, tagLimits.longest))}
      />
      <datalist id="tags-of-account">
        {tags.map((option) => (
          <option key={option.name} value={option.name}>
            {option.name}
          </option>
        ))}
      </datalist>
      <label className="row">
        <input type="checkbox" checked={isRemoval} onChange={(event) => setIsRemoval(event.target.checked)} />
        Remove this tag instead
      </label>
    </ChangeDialog>
  );
}
