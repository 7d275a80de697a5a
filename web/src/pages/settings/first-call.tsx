import { CodeBlock } from "./code-block.tsx";
import { mcpCommand, transcribeCurl } from "./first-calls.ts";

const variable = "$REELSCRIPT_API_KEY";

/** How a key is used, without one. */
export function FirstCall() {
  return (
    <section className="stack tight">
      <h2>First call</h2>
      <CodeBlock label="Request that transcribes a reel" code={transcribeCurl(location.origin, variable)} />
      <h2 className="after-text">In Claude Code</h2>
      <CodeBlock label="Command that adds the MCP server" code={mcpCommand(location.origin, variable)} />
      <p className="hint">
        Set the key as the environment variable <code>REELSCRIPT_API_KEY</code>. Other agents use the same address and
        header. For the rest, see the <a href="/docs">API docs</a>.
      </p>
    </section>
  );
}
