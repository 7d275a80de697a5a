const dashboard = "/app";
const longest = 2_000;

/** The page that asks whether a program may be connected. */
const consent = /^\/oauth\/consent\/[\w-]{1,64}$/;

/** The path after signing in: a page of the dashboard or of a program's consent; the dashboard itself for everything else. */
export function returnPath(requestedPath: unknown): string {
  if (typeof requestedPath === "string" && consent.test(requestedPath)) return requestedPath;
  if (
    typeof requestedPath !== "string" ||
    requestedPath.length > longest ||
    !/^\/app(?=$|[/?#])/.test(requestedPath) ||
    /[\p{Cc}\\]/u.test(requestedPath)
  )
    return dashboard;
  // Parsed like in a browser, so that no dots lead elsewhere.
  const { host, pathname, search, hash } = new URL(requestedPath, "http://reelscript.invalid");
  const page = /^\/app($|\/(?!api(\/|$)|sign-in(\/|$)))/.test(pathname) && !pathname.includes("//");
  return host === "reelscript.invalid" && page ? `${pathname}${search}${hash}` : dashboard;
}
