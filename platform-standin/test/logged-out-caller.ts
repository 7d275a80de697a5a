import { mediaIdOfCode, type PlatformStandin } from "@reelscript/platform-standin";

export type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers are probed field by field

const newDocument = "27130156389949648";
const oldDocument = "8845758582119845";

/** Asks as a logged-out program does: token from the home page, cookie from the ruling, then the stored query. */
export async function askNewShape(standin: PlatformStandin, code: string): Promise<Response> {
  const mediaId = mediaIdOfCode(code);
  const home = await (await fetch(standin.origin)).text();
  const lsd = /"LSD",\[\],\{"token":"([^"]+)"/.exec(home)?.[1] ?? "";
  const ruling = await fetch(
    `${standin.origin}/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${mediaId}`,
    { redirect: "manual" },
  );
  const cookie = ruling.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await ruling.body?.cancel();
  return fetch(`${standin.origin}/api/graphql`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "x-csrftoken": cookie.split("=")[1] ?? "" },
    body: new URLSearchParams({ lsd, doc_id: newDocument, variables: JSON.stringify({ media_id: mediaId }) }),
  });
}

export const askOldShape = (standin: PlatformStandin, code: string): Promise<Response> =>
  fetch(`${standin.origin}/graphql/query`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ doc_id: oldDocument, variables: JSON.stringify({ shortcode: code }) }),
  });

export async function newMediaOf(standin: PlatformStandin, code: string): Promise<Json> {
  const answer = (await (await askNewShape(standin, code)).json()) as Json;
  return answer.data.xig_polaris_media.if_not_gated_logged_out as Json;
}

export async function oldMediaOf(standin: PlatformStandin, code: string): Promise<Json> {
  const answer = (await (await askOldShape(standin, code)).json()) as Json;
  return answer.data.xdt_shortcode_media as Json;
}

/** The post that the embed page carries as JSON in JSON. */
export function embedMediaOf(page: string): Json {
  const script = /s\.handle\((.*)\);\}\);<\/script>/.exec(page)?.[1] ?? "";
  const call = (JSON.parse(script) as Json).require[0] as Json;
  return (JSON.parse(call[3][0].contextJSON as string) as Json).gql_data.shortcode_media as Json;
}

/** What the query cache of a post's page holds. */
export function cachedDataOf(page: string): Json | undefined {
  for (const [, script] of page.matchAll(/<script type="application\/json"[^>]*data-sjs>(.*?)<\/script>/g)) {
    const outer = (JSON.parse(script ?? "") as Json).require[0][3][0].__bbox as Json;
    if (outer.require?.[0]?.[0] === "RelayPrefetchedStreamCache")
      return outer.require[0][3][1].__bbox.result.data as Json;
  }
  return undefined;
}
