import { allDoors, type WallName } from "@reelscript/platform-standin";
import { describe, expect, test } from "vitest";
import { ask, askFirst, cachedAnswerOf, embedMediaOf, frame, navigation, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const codeBehind = (name: WallName) => codeOfKind(standin(), `wall:${name}`);
const pageOf = (code: string) => ask(standin().urlOf(code), navigation);
const embedOf = (code: string) => ask(standin().urlOf(code, "embed"), frame);

test("401 with the advice to wait", async () => {
  const answer = await askFirst(standin(), codeBehind("pleaseWait"));
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toMatchObject({
    message: "Please wait a few minutes before you try again.",
    require_login: true,
    status: "fail",
  });
});

test.each<[WallName, number]>([
  ["tooManyRequests", 429],
  ["missingCsrf", 403],
  ["serverError", 500],
])("%s answers %i", async (name, status) => {
  expect((await askFirst(standin(), codeBehind(name))).status).toBe(status);
});

test.each<[WallName, string]>([
  ["loginRedirect", "/accounts/login/"],
  ["homeRedirect", "/"],
])("%s leads away at every door", async (name, location) => {
  const code = codeBehind(name);
  const answers = [await askFirst(standin(), code), await pageOf(code), await embedOf(code)];
  for (const answer of answers) {
    expect(answer.status).toBe(302);
    expect(answer.location).toBe(location);
  }
});

test("nothing in it, HTML for JSON, and renamed fields", async () => {
  expect(JSON.parse((await askFirst(standin(), codeBehind("emptyData"))).text)).toEqual({ data: {}, status: "ok" });

  const page = await askFirst(standin(), codeBehind("htmlInsteadOfJson"));
  expect(page.status).toBe(200);
  expect(page.text).toContain("<!DOCTYPE html>");

  const drifted = codeBehind("schemaDrift");
  expect(await shownOf(standin(), drifted)).not.toHaveProperty("video_versions");
  expect(await shownOf(standin(), drifted)).not.toHaveProperty("video_dash_manifest");
  const embed = embedMediaOf((await embedOf(drifted)).text);
  expect(embed).not.toHaveProperty("video_url");
});

/** How much of a body comes before it breaks off or `atMost` bytes are there. */
async function receivedOf(answer: Response, atMost: number): Promise<{ bytes: number; broken: boolean }> {
  let bytes = 0;
  try {
    for await (const part of answer.body ?? []) {
      bytes += (part as Uint8Array).length;
      if (bytes >= atMost) return { bytes, broken: false };
    }
    return { bytes, broken: false };
  } catch {
    return { bytes, broken: true };
  }
}

test("bodies that drip, break off, or never end", async () => {
  const opened = (name: WallName) => fetch(standin().urlOf(codeBehind(name)));
  expect(await receivedOf(await opened("midBodyCut"), Infinity)).toMatchObject({ broken: true });
  expect((await receivedOf(await opened("slowDrip"), 2)).bytes).toBeLessThan(10);
  expect((await receivedOf(await opened("endlessJson"), 1_000_000)).bytes).toBeGreaterThanOrEqual(1_000_000);
});

describe("a wall with a door left open", () => {
  test("the embed page", async () => {
    const code = codeOfKind(standin(), "embedOnly");
    expect((await askFirst(standin(), code)).status).toBe(401);
    expect((await pageOf(code)).status).toBe(401);
    expect(embedMediaOf((await embedOf(code)).text)?.shortcode).toBe(code);
  });

  test("the page", async () => {
    const code = codeOfKind(standin(), "pageOnly");
    expect((await embedOf(code)).status).toBe(401);
    const page = cachedAnswerOf((await pageOf(code)).text);
    expect(page?.data.xig_polaris_media.if_not_gated_logged_out.code).toBe(code);
  });
});

test("a wall around the whole platform, and its end", async () => {
  standin().setWall({ name: "tooManyRequests", doors: allDoors });
  expect((await askFirst(standin(), "CenAusten01")).status).toBe(429);
  standin().setWall(undefined);
  expect((await askFirst(standin(), "CenAusten01")).status).toBe(200);
});
