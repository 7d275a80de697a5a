/** The version of this program. */
export const version = "1.0.0";

const iconsOf = (baseUrl: string) => [{ src: `${baseUrl}/app/mark.svg`, mimeType: "image/svg+xml", sizes: ["any"] }];

/** How the service names itself to clients. */
export const serverInfo = (baseUrl: string) => ({
  name: "reelscript",
  title: "Reelscript",
  version,
  websiteUrl: baseUrl,
  icons: iconsOf(baseUrl),
});

/**
 * The service's entry in the MCP registry, as its operator publishes it. The registry grants a namespace to the owner of a
 * domain, so the name is the domain reversed.
 */
export const registryEntry = (baseUrl: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: `${new URL(baseUrl).hostname.split(".").toReversed().join(".")}/reelscript`,
  title: "Reelscript",
  description: "Turns the speech of public short videos into text and keeps it in a searchable library.",
  version,
  websiteUrl: baseUrl,
  icons: iconsOf(baseUrl),
  remotes: [
    {
      type: "streamable-http",
      url: `${baseUrl}/mcp`,
      headers: [
        {
          name: "Authorization",
          description: "Without a key only the overview, plans and guides can be read.",
          value: "Bearer {api_key}",
          variables: {
            api_key: {
              description: `An API key; create one at ${baseUrl}/app, under API keys.`,
              placeholder: "svc_sk_...",
              isRequired: true,
              isSecret: true,
            },
          },
        },
      ],
    },
  ],
});
