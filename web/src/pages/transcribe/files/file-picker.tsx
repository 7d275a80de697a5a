import { useEffect, useEffectEvent, useState } from "react";
import { FilesButton } from "../../../components/button.tsx";
import { Select } from "../../../components/field.tsx";
import { addFiles } from "./sent-files.ts";

/** Phones offer the camera roll for these. */
const accept = "video/*,audio/*";

const keptFor = [
  { value: "0", label: "Delete files afterward" },
  { value: "7", label: "Keep files 7 days" },
  { value: "30", label: "Keep files 30 days" },
];

/** A button for files of one's own, and the whole page to drop them on. */
export function FilePicker({
  languageHint,
  translates,
}: {
  readonly languageHint: string;
  readonly translates: boolean;
}) {
  const [isOver, setOver] = useState(false);
  const [keepDays, setKeepDays] = useState("0");
  const add = (files: readonly File[]): void =>
    addFiles(files, {
      keepDays: Number(keepDays),
      ...(languageHint !== "" && { languageHint }),
      ...(translates && { translate: "en" as const }),
    });
  const addDropped = useEffectEvent(add);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
    document.addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && setOver(false), { signal });
    document.addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        addDropped([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => leaving.abort();
  }, []);
  return (
    <>
      <FilesButton icon="plus" accept={accept} onFiles={add}>
        Choose files
      </FilesButton>
      <Select label="After transcribing files" labelHidden value={keepDays} options={keptFor} onChange={setKeepDays} />
      {isOver && (
        <div className="drop-target" aria-hidden="true">
          <span>Drop your files here</span>
        </div>
      )}
    </>
  );
}
