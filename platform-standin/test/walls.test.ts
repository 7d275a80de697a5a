import { allDoors, type WallName } from "@reelscript/platform-standin";
import { describe, expect, test } from "vitest";
import { askNewShape, askOldShape, cachedDataOf, embedMediaOf, type Json, newMediaOf } from "./logged-out-caller.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const codeBehind = (name: WallName) => codeOfKind(standin(), `wall:${name}`);
const ask = (url: string) => fetch(url, { redirect: "manual" });

test("401 with the advice to wait", async () => {
  const answer = await askNewShape(standin(), codeBehind("pleaseWait"));
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({
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
  expect((await askNewShape(standin(), codeBehind(name))).status).toBe(status);
  standin().setShape("old");
  expect((await askOldShape(standin(), codeBehind(name))).status).toBe(status);
});

test.each<[WallName, string]>([
  ["loginRedirect", "/accounts/login/"],
  ["homeRedirect", "/"],
])("%s leads away at every door", async (name, location) => {
  const code = codeBehind(name);
  const answers = [
    await askNewShape(standin(), code),
    await ask(standin().urlOf(code)),
    await ask(standin().urlOf(code, "embed")),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(location);
  }
});

test("nothing in it, HTML for JSON, and renamed fields", async () => {
  expect(await (await askNewShape(standin(), codeBehind("emptyData"))).json()).toEqual({ data: {}, status: "ok" });

  const page = await askNewShape(standin(), codeBehind("htmlInsteadOfJson"));
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<!DOCTYPE html>");

  const drifted = codeBehind("schemaDrift");
  expect(await newMediaOf(standin(), drifted)).not.toHaveProperty("video_versions");
  const embed = embedMediaOf(await (await ask(standin().urlOf(drifted, "embed"))).text());
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
  // the ruling is behind the same wall, so the page is asked, not the whole flow
  const pageOf = (name: WallName) => ask(standin().urlOf(codeBehind(name)));
  expect(await receivedOf(await pageOf("midBodyCut"), Infinity)).toMatchObject({ broken: true });
  expect((await receivedOf(await pageOf("slowDrip"), 2)).bytes).toBeLessThan(10);
  expect((await receivedOf(await pageOf("endlessJson"), 1_000_000)).bytes).toBeGreaterThanOrEqual(1_000_000);
});

describe("a wall with a door left open", () => {
  test("the embed page", async () => {
    const code = codeOfKind(standin(), "embedOnly");
    expect((await askNewShape(standin(), code)).status).toBe(401);
    expect((await ask(standin().urlOf(code))).status).toBe(401);
    expect(embedMediaOf(await (await ask(standin().urlOf(code, "embed"))).text()).shortcode).toBe(code);
  });

  test("the page", async () => {
    const code = codeOfKind(standin(), "pageOnly");
    expect((await ask(standin().urlOf(code, "embed"))).status).toBe(401);
    const page = await (await ask(standin().urlOf(code))).text();
    expect((cachedDataOf(page) as Json).xig_polaris_media.if_not_gated_logged_out.code).toBe(code);
  });
});

test("a wall around the whole platform, and its end", async () => {
  standin().setWall({ name: "tooManyRequests", doors: allDoors });
  expect((await askNewShape(standin(), "CenAusten01")).status).toBe(429);
  standin().setWall(undefined);
  expect((await askNewShape(standin(), "CenAusten01")).status).toBe(200);
});
