import { request } from "node:http";
import { mediaIdOfCode, type PlatformStandin } from "@reelscript/platform-standin";

export type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers are probed field by field

export const navigation = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.9",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "sec-fetch-user": "?1",
  "upgrade-insecure-requests": "1",
};
export const sameOrigin = {
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
  "x-ig-app-id": "936619743392459",
  "x-asbd-id": "359341",
  "x-fb-friendly-name": "PolarisLoggedOutDesktopWWWPostRootContentQuery",
};
export const frame = { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" };

export interface Received {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookie: string;
  readonly text: string;
}

/** Sends exactly the given headers, which `fetch` doesn't do. */
export function ask(
  url: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const type = form && { "content-type": "application/x-www-form-urlencoded" };
    const call = request(url, { method: form ? "POST" : "GET", headers: { ...headers, ...type } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location,
          cookie: (answer.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0]).join("; "),
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    call.on("error", reject);
    call.end(form && new URLSearchParams(form).toString());
  });
}

export interface Visit {
  readonly token: string;
  readonly cookie: string;
}

/** Gets a token and cookies from the front page, like a visitor. */
export async function visit(standin: PlatformStandin): Promise<Visit> {
  const { text, cookie } = await ask(standin.origin);
  return { token: /"LSD",\[\],\{"token":"([^"]+)"/.exec(text)?.[1] ?? "", cookie };
}

export const askQuery = (
  standin: PlatformStandin,
  { token, cookie }: Visit,
  [path, document, variables]: readonly [string, string, unknown],
  headers: Record<string, string> = {},
): Promise<Received> =>
  ask(
    standin.origin + path,
    { ...sameOrigin, "x-fb-lsd": token, cookie, ...headers },
    { lsd: token, doc_id: document, variables: JSON.stringify(variables) },
  );

export const firstQuery = (code: string) =>
  ["/api/graphql", "27130156389949648", { media_id: mediaIdOfCode(code) }] as const;
export const secondQuery = (code: string) =>
  [
    "/graphql/query",
    "27128499623469141",
    { shortcode: code, __relay_internal__pv__PolarisAIGMMediaWebLabelEnabledrelayprovider: false },
  ] as const;
export const csrf = { "x-csrftoken": "standin-csrftoken" };

/** Sends the first query as a visitor who has just arrived. */
export const askFirst = async (standin: PlatformStandin, code: string): Promise<Received> =>
  askQuery(standin, await visit(standin), firstQuery(code));

export async function postOf(standin: PlatformStandin, code: string): Promise<Json> {
  return JSON.parse((await askFirst(standin, code)).text).data.xig_polaris_media as Json;
}

export async function shownOf(standin: PlatformStandin, code: string): Promise<Json> {
  return (await postOf(standin, code)).if_not_gated_logged_out as Json;
}

/** Every block of data in a page. */
export const blocksOf = (page: string): Json[] =>
  [...page.matchAll(/<script type="application\/json"[^>]*data-sjs>(.*?)<\/script>/g)].map(([, block]) =>
    JSON.parse(block ?? ""),
  );

/** The query's response that a page contains. */
export function cachedAnswerOf(page: string): Json | undefined {
  const inner = blocksOf(page).map(({ require }) => require[0][3]?.[0]?.__bbox?.require?.[0]);
  return inner.find((each) => each?.[0] === "RelayPrefetchedStreamCache")?.[3][1].__bbox.result as Json | undefined;
}

export const routeNameOf = (page: string): string | undefined => /"canonicalRouteName":"([^"]+)"/.exec(page)?.[1];

/** The post that the embed page contains as JSON in JSON. */
export function embedMediaOf(page: string): Json | undefined {
  const script = /s\.handle\((.*)\);\}\);<\/script>/.exec(page)?.[1];
  if (script === undefined) return undefined;
  const call = (JSON.parse(script) as Json).require[0] as Json;
  return (JSON.parse(call[3][0].contextJSON as string) as Json).gql_data.shortcode_media as Json;
}
