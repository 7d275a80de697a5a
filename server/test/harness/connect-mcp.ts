import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export const eras = { modern: { pin: "2026-07-28" }, legacy: "legacy" } as const;
export type Era = keyof typeof eras;

/** A real client over HTTP that speaks one version of the protocol. */
export async function connectMcp(url: string, era: Era, key?: string, query = ""): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: eras[era] } });
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }));
  return client;
}

/** An agent that calls tools with a key, and the results that its model and its program see. */
export async function connectAgent(url: string, key?: string) {
  const client = await connectMcp(url, "modern", key);
  return {
    client,
    close: () => client.close(),
    call: async (name: string, input: Record<string, unknown> = {}) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
      const text = (content as { text: string }[])[0]?.text ?? "";
      // oxlint-disable-next-line typescript/no-explicit-any -- tests look at answers of every shape
      return { isError: isError ?? false, text, data: structuredContent as any };
    },
  };
}
