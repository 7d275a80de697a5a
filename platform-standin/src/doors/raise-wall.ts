import type { ServerResponse } from "node:http";
import { type Answer, htmlAnswer, jsonAnswer, redirectAnswer, sendAnswer } from "./answer.ts";
import { loginPage, shellPage, throttledPage } from "./html-pages.ts";
import { dripBody, endlessBody } from "./slow-bodies.ts";
import { type Door, jsonDoors, type WallName } from "./wall.ts";

const pleaseWait = {
  message: "Please wait a few minutes before you try again.",
  require_login: true,
  igweb_rollout: true,
  status: "fail",
};

/** The fields a resolver lives on, under names that nobody has seen before. */
const drifted = (body: string): string =>
  body
    .replaceAll("video_versions", "video_variants")
    .replaceAll("video_dash_manifest", "video_tracks")
    .replaceAll("video_url", "video_location")
    .replaceAll('"code":', '"entry_code":')
    .replaceAll("carousel_media", "carousel_entries");

function replacementOf(name: WallName, door: Door, answer: Answer): Answer | undefined {
  const json = jsonDoors.includes(door);
  switch (name) {
    case "pleaseWait":
      return jsonAnswer(pleaseWait, 401);
    case "tooManyRequests":
      return json ? jsonAnswer({ message: "rate limited", status: "fail" }, 429) : htmlAnswer("", 429);
    case "loginRedirect":
      return redirectAnswer("/accounts/login/");
    case "homeRedirect":
      return redirectAnswer("/");
    case "emptyData":
      return json ? jsonAnswer({ data: {}, status: "ok" }) : htmlAnswer(throttledPage());
    case "missingCsrf":
      return jsonAnswer({ message: "CSRF token missing or incorrect", status: "fail" }, 403);
    case "htmlInsteadOfJson":
      return htmlAnswer(shellPage());
    case "loginRoute":
      return htmlAnswer(loginPage());
    case "serverError":
      return json ? jsonAnswer({ message: "An unexpected error occurred.", status: "fail" }, 500) : htmlAnswer("", 500);
    case "schemaDrift":
      return { ...answer, body: drifted(answer.body.toString()) };
    case "slowDrip":
    case "midBodyCut":
    case "endlessJson":
      return undefined;
  }
}

/** Answers as the wall does. Slow and endless bodies go on until the caller leaves. */
export function raiseWall(name: WallName, door: Door, answer: Answer, response: ServerResponse): void {
  const replacement = replacementOf(name, door, answer);
  if (replacement) return sendAnswer(response, replacement);
  const body = Buffer.from(answer.body);
  if (name === "endlessJson") {
    response.writeHead(200, { "content-type": "application/json" });
    return endlessBody(
      response,
      Buffer.from('{"data":['),
      Buffer.from('{"padding":"padding padding padding"},'.repeat(500)),
    );
  }
  response.writeHead(answer.status, { ...answer.headers, "content-length": String(body.length) });
  if (name === "slowDrip") return dripBody(response, body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
