import { type Answer, failAnswer, htmlAnswer, jsonAnswer, redirectAnswer } from "./answer.ts";
import { jsonDoors, type Door, type Wall, type WallName } from "./wall.ts";
import { loginPage, shellPage, throttledPage } from "./html-pages.ts";

const pleaseWait = {
  message: "Please wait a few minutes before you try again.",
  require_login: true,
  igweb_rollout: true,
  status: "fail",
};

/** The fields that a resolver needs, under unknown names. */
const drifted = (body: string): string =>
  body
    .replaceAll("video_versions", "video_variants")
    .replaceAll("video_dash_manifest", "video_tracks")
    .replaceAll("video_url", "video_location")
    .replaceAll('"code":', '"entry_code":')
    .replaceAll("carousel_media", "carousel_entries");

/** Responses that replace a door's own. */
const walls: Readonly<Record<WallName, (answer: Answer, isJson: boolean) => Answer>> = {
  pleaseWait: () => jsonAnswer(pleaseWait, 401),
  tooManyRequests: (_answer, isJson) => (isJson ? failAnswer(429, "rate limited") : htmlAnswer("", 429)),
  loginRedirect: () => redirectAnswer("/accounts/login/"),
  loginRoute: () => htmlAnswer(loginPage()),
  homeRedirect: () => redirectAnswer("/"),
  emptyData: (_answer, isJson) => (isJson ? jsonAnswer({ data: {}, status: "ok" }) : htmlAnswer(throttledPage())),
  missingCsrf: () => failAnswer(403, "CSRF token missing or incorrect"),
  htmlInsteadOfJson: () => htmlAnswer(shellPage()),
  schemaDrift: (answer) => ({ ...answer, body: drifted(answer.body.toString()) }),
  slowDrip: (answer) => ({ ...answer, manner: "drip" }),
  midBodyCut: (answer) => ({ ...answer, manner: "cut" }),
  serverError: (_answer, isJson) => (isJson ? failAnswer(500, "An unexpected error occurred.") : htmlAnswer("", 500)),
  endlessJson: () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"data":[',
    manner: { repeats: Buffer.from('{"padding":"padding padding padding"},'.repeat(500)) },
  }),
};

export function behindWall(wall: Wall | undefined, door: Door | undefined, answer: Answer): Answer {
  if (wall === undefined || door === undefined || !wall.doors.includes(door)) return answer;
  return walls[wall.name](answer, jsonDoors.includes(door));
}
