import type { IncomingHttpHeaders } from "node:http";
import { isShown, type StandinReel } from "../reels/standin-reel.ts";
import { type Answer, failAnswer, htmlAnswer, jsonAnswer, redirectAnswer } from "./answer.ts";
import { cookieOf, isQuery, isSignedIn } from "./asked-as.ts";
import { guestCookies, shellPage } from "./html-pages.ts";
import { itemForAccount, postAnswer, shownPost } from "./post-data.ts";
import { answerProfileList, profileDocuments } from "./profile-doors.ts";
import type { Site } from "./site.ts";

/** The stored queries by `doc_id`. */
const documents = {
  "27130156389949648": "post",
  "27128499623469141": "secondPost",
  [profileDocuments.visitor]: "profile",
  [profileDocuments.account]: "profileForAccount",
  "8845758582119845": "dead",
} as const;

export interface Query {
  readonly document: (typeof documents)[keyof typeof documents] | "unknown";
  readonly token: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Parses the form of a stored query; undefined if it isn't one. */
export function readQuery(form: URLSearchParams): Query | undefined {
  try {
    const variables: unknown = JSON.parse(form.get("variables") ?? "");
    if (typeof variables !== "object" || variables === null) return undefined;
    const document = documents[form.get("doc_id") as keyof typeof documents] ?? "unknown";
    return { document, token: form.get("lsd") ?? undefined, variables: variables as Query["variables"] };
  } catch {
    return undefined;
  }
}

export function reelOfQuery({ document, variables }: Query, { registry }: Site): StandinReel | undefined {
  if (document === "post") return registry.byMediaId(String(variables["media_id"]));
  if (document === "secondPost" || document === "dead") return registry.byCode(String(variables["shortcode"]));
  return undefined;
}

/** The reason why a query is refused, or undefined. */
function refusalOf({ document, token }: Query, headers: IncomingHttpHeaders, site: Site): Answer | undefined {
  if (!isQuery(headers)) return htmlAnswer(shellPage());
  if ((token ?? headers["x-fb-lsd"]) !== site.token) return failAnswer(403, "The token is not valid any more");
  if (guestCookies.some((name) => cookieOf(headers, name) === undefined)) return failAnswer(403, "Cookies are missing");
  if (document === "secondPost" && headers["x-csrftoken"] !== cookieOf(headers, "csrftoken"))
    return failAnswer(403, "CSRF token missing or incorrect");
  if (document === "unknown") return failAnswer(400, "The document was not found");
  return undefined;
}

export async function answerQuery(query: Query, headers: IncomingHttpHeaders, site: Site): Promise<Answer> {
  const refusal = refusalOf(query, headers, site);
  if (refusal) return refusal;
  const { document, variables } = query;
  const reel = reelOfQuery(query, site);
  if (document === "post")
    return jsonAnswer(await postAnswer(reel?.availability === "unknownToQuery" ? undefined : reel, site));
  if (document === "secondPost") {
    const info = reel && isShown(reel) ? { items: [await shownPost(reel, site)] } : null;
    return jsonAnswer({ data: { xdt_api__v1__media__shortcode__web_info: info }, status: "ok" });
  }
  if (document === "dead")
    return jsonAnswer({ data: { xdt_shortcode_media: null }, errors: [{ message: "execution error" }] });
  const isForAccount = document === "profileForAccount";
  if (isForAccount && !isSignedIn(headers)) return htmlAnswer(shellPage());
  const profile = site.registry.profileOf(String(variables["username"]));
  return answerProfileList(profile, Number(variables["after"] ?? 0) || 0, isForAccount, site);
}

/** Explains why visitors can't see a post. */
export function answerRuling(reel: StandinReel | undefined): Answer {
  const isGated = reel?.availability === "ageGated" || reel?.availability === "gatedWithoutReason";
  return jsonAnswer({
    title: isGated ? "Restricted Video" : "",
    description: isGated ? "You must be 18 years old or over to see this video" : "",
    status: "ok",
  });
}

/** For signed-in users; visitors are redirected to the login page. */
export async function answerInfo(
  reel: StandinReel | undefined,
  headers: IncomingHttpHeaders,
  site: Site,
): Promise<Answer> {
  if (!isSignedIn(headers)) return redirectAnswer("/accounts/login/");
  if (!reel || reel.availability === "private" || reel.availability === "deleted")
    return failAnswer(404, "Media not found or unavailable");
  const items = [await itemForAccount(reel, site)];
  return jsonAnswer({ items, num_results: 1, more_available: false, status: "ok" });
}
