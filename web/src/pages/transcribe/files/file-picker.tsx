import type { VideoStyleName } from "@reelscript/contract/subtitles";
import { videoLimits } from "@reelscript/contract/values";
import { useEffect, useEffectEvent, useState } from "react";
import { FilesButton } from "../../../components/button.tsx";
import { optionsOf, Select } from "../../../components/field.tsx";
import { styleLabels } from "../../../components/style-labels.ts";
import { addFiles } from "./sent-files.ts";

/** Phones offer the camera roll for these. */
const accept = "video/*,audio/*";

const videoStyles = [
  { value: "", label: "No subtitled video" },
  ...optionsOf(styleLabels).map(({ value, label }) => ({ value, label: `Video: ${label.toLowerCase()}` })),
] as const;

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
  const [chosenDays, setChosenDays] = useState("0");
  const [style, setStyle] = useState<VideoStyleName | "">("");
  // A video needs the file for as long as its service says.
  const keepDays = style !== "" && chosenDays === "0" ? String(videoLimits.keepDays) : chosenDays;
  const add = (files: readonly File[]): void =>
    addFiles(files, {
      keepDays: Number(keepDays),
      ...(languageHint !== "" && { languageHint }),
      ...(translates && { translate: "en" as const }),
      ...(style !== "" && { videoStyle: style }),
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
      <Select label="Subtitled video" labelHidden value={style} options={videoStyles} onChange={setStyle} />
      <Select
        label="After transcribing files"
        labelHidden
        value={keepDays}
        options={style === "" ? keptFor : keptFor.filter(({ value }) => value !== "0")}
        onChange={setChosenDays}
      />
      {isOver && (
        <div className="drop-target" aria-hidden="true">
          <span>Drop your files here</span>
        </div>
      )}
    </>
  );
}
