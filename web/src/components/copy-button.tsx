import { useEffect, useState } from "react";
import { Button, type ButtonKind, type ButtonSize } from "./button.tsx";
import { showToast } from "./toast.tsx";

interface Props {
  /** What is copied; a function when it is made only then. */
  readonly text: string | (() => string);
  /** "Copy text" */
  readonly children: string;
  /** Said when it is done: "Copied 128 words". */
  readonly done?: string;
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly iconOnly?: boolean;
  readonly onCopied?: () => void;
}

export function CopyButton({ text, children, done = "Copied", kind = "quiet", size, iconOnly, onCopied }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setCopied(true);
      showToast(done);
      onCopied?.();
    } catch {
      showToast("Your browser blocked copying. Select the text and copy it yourself.", { failed: true });
    }
  };
  return (
    <Button
      kind={kind}
      {...(size && { size })}
      {...(iconOnly && { iconOnly })}
      icon={copied ? "check" : "copy"}
      onClick={() => void copy()}
    >
      {children}
    </Button>
  );
}
