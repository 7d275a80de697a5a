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

/** A request that answers at once and counts nothing. */
export const firstCurl = (origin: string, key: string): string =>
  `curl ${origin}/api/v1/me \\\n  -H "Authorization: Bearer ${key}"`;

/** Transcribes a reel of which the link is put in. */
export const transcribeCurl = (origin: string, key: string): string =>
  `curl ${origin}/api/v1/transcribe \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"url":"LINK_OF_A_REEL"}'`;

/** Lets Claude Code use the tools. */
export const mcpCommand = (origin: string, key: string): string =>
  `claude mcp add --transport http reelscript ${origin}/mcp \\\n  --header "Authorization: Bearer ${key}"`;
