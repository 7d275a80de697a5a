import { allDoors, type WallName } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { ask, askFirst, embedMediaOf, frame, navigation, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const codeBehind = (name: WallName) => codeOfKind(standin(), `wall:${name}`);
const pageOf = (code: string) => ask(standin().urlOf(code), navigation);
const embedOf = (code: string) => ask(standin().urlOf(code, "embed"), frame);

test.each<[WallName, number, string | undefined, string]>([
  ["pleaseWait", 401, undefined, '{"message":"Please wait a few minutes before you try again.","require_login":true'],
  ["tooManyRequests", 429, undefined, '{"message":"rate limited"'],
  ["missingCsrf", 403, undefined, '{"message":"CSRF'],
  ["serverError", 500, undefined, '{"message":'],
  ["loginRedirect", 302, "/accounts/login/", ""],
  ["homeRedirect", 302, "/", ""],
  ["emptyData", 200, undefined, '{"data":{},"status":"ok"}'],
  ["htmlInsteadOfJson", 200, undefined, "<!DOCTYPE html>"],
])("%s answers a query with %i, and no door with the post", async (name, status, location, beginning) => {
  const code = codeBehind(name);
  const answer = await askFirst(standin(), code);
  expect(answer).toMatchObject({ status, location });
  expect(answer.text.startsWith(beginning)).toBe(true);
  for (const other of [await pageOf(code), await embedOf(code)]) expect(other.text).not.toContain("video_");
});

test("fields are renamed at every door", async () => {
  const code = codeBehind("schemaDrift");
  const post = await shownOf(standin(), code);
  for (const field of ["video_versions", "video_dash_manifest"]) expect(post).not.toHaveProperty(field);
  expect(embedMediaOf((await embedOf(code)).text)).not.toHaveProperty("video_url");
});

test("a wall around the whole platform, and its end", async () => {
  standin().setWall({ name: "tooManyRequests", doors: allDoors });
  expect((await askFirst(standin(), "CenAusten01")).status).toBe(429);
  standin().setWall(undefined);
  expect((await askFirst(standin(), "CenAusten01")).status).toBe(200);
});
