import { CopyButton } from "../../components/copy-button.tsx";

interface Props {
  /** What it is, read out. */
  readonly label: string;
  /** Strings between quotes stand out. */
  readonly code: string;
  /** Breaks long lines instead of scrolling. */
  readonly wraps?: boolean;
}

/** A command, and a button that copies it. */
export function CodeBlock({ label, code, wraps = false }: Props) {
  return (
    <div className="code-block">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre dir="ltr" role="region" tabIndex={0} aria-label={label} className={wraps ? "wraps" : undefined}>
        <code>
          {code
            .split(/("[^"]*")/)
            .map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : <span key={index}>{part}</span>))}
        </code>
      </pre>
      <CopyButton size="small" iconOnly text={code} done="Copied the command">
        Copy command
      </CopyButton>
    </div>
  );
}
