import { useMutation } from "@tanstack/react-query";
import { hostedImagePath, typographic } from "@reelscript/contract/values";
import { useState, type ClipboardEvent, type DragEvent } from "react";
import { Button, FileButton } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { Icon } from "../../../components/icon.tsx";
import { Input } from "../../../components/field.tsx";
import { useEditor } from "../draft/editor-context.tsx";
import { CropDialog, type Crop } from "./crop-dialog.tsx";
import { CallError } from "@reelscript/client/core";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly hint: string;
  /** Width divided by height; if it is given, people choose the part to use. */
  readonly aspect?: number;
  readonly onChange: (url: string | null) => void;
}

interface LocalImage {
  readonly file: File;
  readonly source: string;
}

/** Width divided by height of a page's portrait. */
export const portraitAspect = 4 / 5;

const accepted = "image/jpeg,image/png,image/webp,image/avif";

export function ImageField({ label, name, value, hint, aspect, onChange }: Props) {
  const { problems } = useEditor();
  const [address, setAddress] = useState("");
  const [localImage, setLocalImage] = useState<LocalImage>();
  const [isOver, setIsOver] = useState(false);
  const { isPending, error, give } = useUpload(onChange);
  const path = value === null ? undefined : hostedImagePath(value);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (aspect === undefined) give({ from: file });
    else setLocalImage({ file, source: URL.createObjectURL(file) });
  };
  const end = ({ file, source }: LocalImage, crop?: Crop | "whole"): void => {
    URL.revokeObjectURL(source);
    setLocalImage(undefined);
    if (crop !== undefined) give({ from: file, crop: crop === "whole" ? undefined : crop });
  };
  const onPaste = (event: ClipboardEvent): void => {
    const [file] = event.clipboardData.files;
    if (file === undefined) return;
    event.preventDefault();
    take(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  const fetchAddress = (): void => {
    const from = address.trim();
    if (from !== "") give({ from }, () => setAddress(""));
  };
  return (
    <div
      className={classNames("image-field", isOver && "over")}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
      onPaste={onPaste}
    >
      <div className="picture">{path === undefined ? <Icon name="picture" /> : <img src={path} alt="" />}</div>
      <div className="stack tight">
        <Input
          label={label}
          name={name}
          value={address}
          placeholder="Paste an image or its address"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          hint={hint}
          error={error ? typographic(error.message) : problems.get(name)}
          onChange={(event) => setAddress(event.target.value)}
          onBlur={fetchAddress}
          onKeyDown={(event) => event.key === "Enter" && fetchAddress()}
        />
        <FileRow
          label={label}
          isBusy={isPending}
          onFile={take}
          onRemove={value === null ? undefined : () => onChange(null)}
        />
      </div>
      {localImage && aspect !== undefined && (
        <CropDialog
          source={localImage.source}
          aspect={aspect}
          onCrop={(crop) => end(localImage, crop)}
          onClose={() => end(localImage)}
          // The service can describe what is wrong with an image that the browser can't show.
          onBroken={() => end(localImage, "whole")}
        />
      )}
    </div>
  );
}

interface FileRowProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File | undefined) => void;
  readonly onRemove: (() => void) | undefined;
}

const FileRow = ({ label, isBusy, onFile, onRemove }: FileRowProps) => (
  <div className="row wrap">
    <FileButton
      size="small"
      icon="picture"
      accept={accepted}
      busy={isBusy && "Uploading…"}
      aria-label={`Choose image: ${label}`}
      onFile={onFile}
    >
      Choose image
    </FileButton>
    {onRemove && (
      <Button kind="ghost" size="small" aria-label={`Remove image: ${label}`} onClick={onRemove}>
        Remove
      </Button>
    )}
  </div>
);

interface Picture {
  readonly from: Blob | string;
  readonly crop?: Crop | undefined;
}

function useUpload(onChange: (url: string) => void) {
  const { mutate, isPending, error } = useMutation({ mutationFn: uploadImage, onSuccess: onChange });
  const give = (picture: Picture, onSuccess?: () => void): void => {
    if (!isPending) mutate(picture, { onSuccess });
  };
  return { isPending, error, give };
}

/** Uploads a file, or has the service copy an image from another site, and returns its address. Throws `CallError`. */
async function uploadImage({ from, crop }: Picture): Promise<string> {
  const query = crop === undefined ? "" : `?crop=${[crop.left, crop.top, crop.width, crop.height].join(",")}`;
  const isFile = from instanceof Blob;
  const answer = await fetch(`/app/bio/images${query}`, {
    method: "POST",
    headers: { "content-type": isFile ? from.type || "application/octet-stream" : "application/json" },
    body: isFile ? from : JSON.stringify({ url: from }),
  }).catch(() => {
    throw new CallError("unreachable", "Can’t reach Reelscript. Check your connection.");
  });
  const body = (await answer.json().catch(() => ({}))) as { url?: string; error?: { message?: string } };
  if (answer.ok && body.url !== undefined) return body.url;
  throw new CallError("unavailable", body.error?.message ?? "The image could not be uploaded. Try again.", {
    status: answer.status,
  });
}
