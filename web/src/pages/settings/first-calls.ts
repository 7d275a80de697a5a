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
