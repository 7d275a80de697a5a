export type Route =
  | { kind: "home" }
  | { kind: "login" }
  | { kind: "page"; code: string }
  | { kind: "embed"; code: string }
  | { kind: "share"; id: string }
  | { kind: "ruling"; mediaId: string }
  | { kind: "graphql" }
  | { kind: "info"; mediaId: string }
  | { kind: "profile"; handle: string }
  | { kind: "unknown" };

type Pattern = [RegExp, (part: (index: number) => string, url: URL) => Route];

const code = "([A-Za-z0-9_-]+)";
const patterns: readonly Pattern[] = [
  [/^\/$/, () => ({ kind: "home" })],
  [/^\/accounts\/login\/?$/, () => ({ kind: "login" })],
  [/^\/(?:api\/graphql|graphql\/query)\/?$/, () => ({ kind: "graphql" })],
  [
    /^\/api\/v1\/web\/get_ruling_for_content\/?$/,
    (_, url) => ({ kind: "ruling", mediaId: url.searchParams.get("target_id") ?? "" }),
  ],
  [/^\/api\/v1\/media\/(\d+)(?:_\d+)?\/info\/?$/, (part) => ({ kind: "info", mediaId: part(1) })],
  [new RegExp(`^/share/(?:(?:p|reels?|tv)/)?${code}/?$`), (part) => ({ kind: "share", id: part(1) })],
  [new RegExp(`^/(?:p|reels?|tv)/${code}/?$`), (part) => ({ kind: "page", code: part(1) })],
  [new RegExp(`^/(?:p|reels?|tv)/${code}/embed(?:/captioned)?/?$`), (part) => ({ kind: "embed", code: part(1) })],
  [new RegExp(`^/[A-Za-z0-9_.]+/(?:p|reel)/${code}/?$`), (part) => ({ kind: "page", code: part(1) })],
  [/^\/([A-Za-z0-9_.]{1,30})\/(?:reels\/)?$/, (part) => ({ kind: "profile", handle: part(1) })],
];

/** Which door a request path leads to; `share` wins over a user of that name. */
export function routeOf(url: URL): Route {
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(url.pathname);
    if (match) return make((index) => match[index] ?? "", url);
  }
  return { kind: "unknown" };
}
