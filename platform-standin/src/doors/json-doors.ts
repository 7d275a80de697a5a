import type { IncomingHttpHeaders } from "node:http";
import { type Answer, htmlAnswer, jsonAnswer, redirectAnswer } from "./answer.ts";
import { cookieOf, isQuery, isSignedIn } from "./asked-as.ts";
import type { DoorContext } from "./door-context.ts";
import { guestCookies, shellPage } from "./html-pages.ts";
import { itemForAccount, postAnswer, shownPost } from "./post-data.ts";
import { answerProfileList, profileDocuments } from "./profile-doors.ts";
import type { StandinProfile } from "../reels/profiles.ts";
import { isShown, type StandinReel } from "../reels/standin-reel.ts";

/** The stored queries by their `doc_id`. */
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

const fail = (status: number, message: string): Answer => jsonAnswer({ message, status: "fail" }, status);

/** Reads the form of a stored query; undefined when it is not one. */
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

/** The reel that a query is about. */
export function reelOfQuery({ document, variables }: Query, context: DoorContext): StandinReel | undefined {
  if (document === "post") return context.byMediaId(String(variables["media_id"]));
  if (document === "secondPost" || document === "dead") return context.byCode(String(variables["shortcode"]));
  return undefined;
}

/** Why a query is turned away, or undefined. */
function refusalOf({ document, token }: Query, headers: IncomingHttpHeaders, context: DoorContext): Answer | undefined {
  if (!isQuery(headers)) return htmlAnswer(shellPage());
  if ((token ?? headers["x-fb-lsd"]) !== context.token) return fail(403, "The token is not valid any more");
  if (guestCookies.some((name) => cookieOf(headers, name) === undefined)) return fail(403, "Cookies are missing");
  if (document === "secondPost" && headers["x-csrftoken"] !== cookieOf(headers, "csrftoken"))
    return fail(403, "CSRF token missing or incorrect");
  if (document === "unknown") return fail(400, "The document was not found");
  return undefined;
}

export async function answerQuery(
  query: Query,
  headers: IncomingHttpHeaders,
  profileOf: (handle: string) => StandinProfile | undefined,
  context: DoorContext,
): Promise<Answer> {
  const refusal = refusalOf(query, headers, context);
  if (refusal) return refusal;
  const reel = reelOfQuery(query, context);
  if (query.document === "post")
    return jsonAnswer(await postAnswer(reel?.availability === "unknownToQuery" ? undefined : reel, context));
  if (query.document === "secondPost") return jsonAnswer(await secondAnswer(reel, context));
  if (query.document === "dead")
    return jsonAnswer({ data: { xdt_shortcode_media: null }, errors: [{ message: "execution error" }] });
  const { username, after } = query.variables;
  const profile = profileOf(String(username));
  const isForAccount = query.document === "profileForAccount";
  if (isForAccount && !isSignedIn(headers)) return htmlAnswer(shellPage());
  return answerProfileList(profile, Number(after ?? 0) || 0, isForAccount, context);
}

async function secondAnswer(reel: StandinReel | undefined, context: DoorContext): Promise<unknown> {
  const shown = reel && isShown(reel) ? { items: [await shownPost(reel, context)] } : null;
  return { data: { xdt_api__v1__media__shortcode__web_info: shown }, status: "ok" };
}

/** What keeps a post from visitors, in words. */
export function answerRuling(reel: StandinReel | undefined): Answer {
  const isGated = reel?.availability === "ageGated" || reel?.availability === "gatedWithoutReason";
  return jsonAnswer({
    title: isGated ? "Restricted Video" : "",
    description: isGated ? "You must be 18 years old or over to see this video" : "",
    status: "ok",
  });
}

/** For those who are signed in; visitors are sent to the login page. */
export async function answerInfo(
  reel: StandinReel | undefined,
  headers: IncomingHttpHeaders,
  context: DoorContext,
): Promise<Answer> {
  if (!isSignedIn(headers)) return redirectAnswer("/accounts/login/");
  if (!reel || reel.availability === "private" || reel.availability === "deleted")
    return fail(404, "Media not found or unavailable");
  const items = [await itemForAccount(reel, context)];
  return jsonAnswer({ items, num_results: 1, more_available: false, status: "ok" });
}
