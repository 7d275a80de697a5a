/**
 * Whether a URL is at one of the origins: scheme, host and port equal, or `https://*.host` for every host below it.
 * URLs that carry a user name or a password never are.
 */
export function isAtAllowedOrigin(url: URL, origins: readonly string[]): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return origins.some((origin) => {
    const [scheme, parent] = origin.split("//*");
    if (parent === undefined) return url.origin === origin;
    return url.protocol === scheme && url.port === "" && url.hostname.endsWith(parent);
  });
}
