import { useEffect, useRef, useState, type ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { createLink } from "@tanstack/react-router";
import { showToast } from "./toast.tsx";

export type ButtonKind = "ink" | "quiet" | "ghost" | "danger";

const buttonClass = (kind: ButtonKind = "quiet", size: ButtonProps["size"], iconOnly = false): string =>
  classNames("button", kind !== "ink" && kind, size, iconOnly && "icon-only");

interface ButtonProps extends ComponentProps<"button"> {
  /** Quiet by default; a view has one ink button. */
  readonly kind?: ButtonKind | undefined;
  readonly size?: "small" | "large" | undefined;
  readonly icon?: IconName;
  /** Shows only the icon; screen readers read `children`. */
  readonly iconOnly?: boolean | undefined;
  /** Label while the action runs ("Saving…"); the width stays the same, and a second press does nothing. */
  readonly busy?: string | false | undefined;
}

export function Button({
  kind,
  size,
  icon,
  iconOnly = false,
  busy,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const isBusy = Boolean(busy);
  return (
    <button
      type="button"
      className={classNames(buttonClass(kind, size, iconOnly), isBusy && "busy", className)}
      aria-disabled={isBusy || undefined}
      aria-label={iconOnly && typeof children === "string" ? children : undefined}
      title={iconOnly && typeof children === "string" ? children : undefined}
      {...rest}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      <span className="face">
        {icon && <Icon name={icon} small />}
        {!iconOnly && children}
      </span>
      {isBusy && <span className="working">{busy}</span>}
    </button>
  );
}

interface FilesButtonProps extends Omit<ButtonProps, "onClick"> {
  /** Media types or file name extensions. */
  readonly accept: string;
  /** Several by default. */
  readonly single?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

interface FileButtonProps extends Omit<FilesButtonProps, "onFiles" | "single"> {
  readonly onFile: (file: File | undefined) => void;
}

export const FileButton = ({ onFile, ...rest }: FileButtonProps) => (
  <FilesButton {...rest} single onFiles={([file]) => onFile(file)} />
);

export function FilesButton({ accept, single = false, onFiles, ...rest }: FilesButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={accept}
        multiple={!single}
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Clearing the field allows choosing the same file again.
          target.value = "";
        }}
      />
      <Button {...rest} onClick={() => chooser.current?.click()} />
    </>
  );
}

interface AnchorProps extends ComponentProps<"a"> {
  readonly kind?: ButtonKind | undefined;
  readonly size?: "small" | "large" | undefined;
  readonly icon?: IconName;
  readonly endIcon?: IconName;
}

export function AnchorButton({ kind, size, icon, endIcon, children, className, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={classNames(buttonClass(kind, size), className)}>
      {icon && <Icon name={icon} small />}
      {children}
      {endIcon && <Icon name={endIcon} small />}
    </a>
  );
}

/** Looks like a button and links to a page of the dashboard: `to`, `params` and `search` are those of a `Link`. */
export const LinkButton = createLink(AnchorButton);

interface CopyButtonProps {
  readonly kind?: ButtonKind | undefined;
  readonly size?: "small" | "large" | undefined;
  /** Shows only the icon; screen readers read `children`. */
  readonly iconOnly?: boolean | undefined;
  readonly text: string;
  readonly children: string;
  readonly done: string;
  readonly onCopied?: () => void;
}

export function CopyButton({ text, children, done, kind, size, iconOnly, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast(done);
      onCopied?.();
    } catch {
      showToast("Your browser blocked copying. Select the text and copy it yourself.", { failed: true });
    }
  };
  return (
    <Button kind={kind} size={size} iconOnly={iconOnly} icon={copied ? "check" : "copy"} onClick={() => void copy()}>
      {children}
    </Button>
  );
}
