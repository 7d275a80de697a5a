import { cutVisible, fileLimits } from "@reelscript/contract/values";
import { useState } from "react";
import { useChange } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/field.tsx";
import { Moment } from "../../../components/inline.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { showToast } from "../../../components/toast.tsx";
import { useOpenScript } from "./open-script.ts";

/** The title of a script of the person's own file, and the file itself while it is kept. */
export function FileOptions() {
  const { script } = useOpenScript();
  const { id, caption = "", file } = script;
  const [title, setTitle] = useState(caption);
  const rename = useChange("renameScript", { stale: ["getScript", "searchMyScripts"] });
  const remove = useChange("deleteFile", {
    stale: ["getScript"],
    onDone: () => showToast("The file is deleted. The script stays."),
  });
  const isChanged = title.trim() !== "" && title.trim() !== caption;
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) rename.mutate({ id, title });
      }}
    >
      <Input
        label="Title"
        value={title}
        onChange={({ target }) => setTitle(cutVisible(target.value, fileLimits.longestTitle))}
      />
      {isChanged && (
        <Button type="submit" size="small" className="at-start" busy={rename.isPending && "Saving…"}>
          Save title
        </Button>
      )}
      {file && (
        <p className="hint">
          The file is kept until <Moment at={file.keptUntil} style="long" />.{" "}
          <Button
            kind="ghost"
            size="small"
            className="at-text"
            busy={remove.isPending && "Deleting…"}
            onClick={() => remove.mutate({ id: file.id })}
          >
            Delete file
          </Button>
        </p>
      )}
      <ErrorNote error={rename.error ?? remove.error} />
    </form>
  );
}
