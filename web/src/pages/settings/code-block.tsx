import { CopyButton } from "../../components/copy-button.tsx";

interface Props {
  /** What it is, read out. */
  readonly label: string;
  /** Strings between quotes stand out. */
  readonly code: string;
}

/** A command, and a button that copies it. */
export function CodeBlock({ label, code }: Props) {
  return (
    <div className="code-block">
      <pre dir="ltr" role="group" aria-label={label}>
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
