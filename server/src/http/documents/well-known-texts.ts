/** Robots may read what people read; links of bio pages are left out, so that robots don't follow what they only count. */
export const robotsText = (baseUrl: string): string =>
  [
    "User-agent: *",
    ...["/api/", "/app/", "/auth/", "/l/", "/mcp", "/v/", "/webhooks/"].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    "",
  ].join("\n");

const validMilliseconds = 180 * 24 * 60 * 60 * 1_000;

/** The contact for security reports, in the format of RFC 9116; `undefined` when the operator names nobody. */
export function securityText({
  contact,
  baseUrl,
  now,
}: {
  readonly contact: string | undefined;
  readonly baseUrl: string;
  readonly now: Date;
}): string | undefined {
  if (contact === undefined) return undefined;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + validMilliseconds).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}
