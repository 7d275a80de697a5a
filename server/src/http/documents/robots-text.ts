/** Robots may read what people read; links of bio pages are left out, so that robots don't follow what they only count. */
export const robotsText = (baseUrl: string): string =>
  [
    "User-agent: *",
    ...["/api/", "/app/", "/auth/", "/l/", "/mcp", "/v/", "/webhooks/"].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    "",
  ].join("\n");
