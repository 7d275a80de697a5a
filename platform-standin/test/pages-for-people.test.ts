import { expect, test } from "vitest";
import { ask, navigation } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const textOf = async (url: string): Promise<string> => (await ask(url, navigation)).text;
const unescaped = (html: string): string =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#039;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const attributes = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = ""]) => unescaped(value));

test("the front page lists each reel once, with link and description", async () => {
  const page = await textOf(standin().origin);
  expect(page).toContain("This is a stand-in of the video platform, not the platform.");
  expect(attributes(page, /<input readonly[^>]* value="([^"]*)"/g).toSorted()).toEqual(
    standin()
      .reels.map(({ code }) => standin().urlOf(code))
      .toSorted(),
  );
  for (const { note, kind } of standin().reels.filter((reel) => reel.wall || reel.availability !== "public"))
    expect(unescaped(page)).toContain(`${note}</a><br><code>${kind}</code>`);
  const pictures = attributes(page, /<img [^>]*src="([^"]*)"/g);
  expect(pictures.length).toBeGreaterThan(30);
  expect((await fetch(pictures[0]!)).headers.get("content-type")).toBe("image/jpeg");
});

test("a test's reel is on the front page, too", async () => {
  const { code } = standin().addReel({ bytes: Buffer.from("x"), language: "eo", caption: "Saluton, <b>mondo</b>" });
  const page = await textOf(standin().origin);
  expect(page).toContain("Saluton, &lt;b&gt;mondo&lt;/b&gt;");
  expect(page).toContain(`value="${standin().urlOf(code)}"`);
});

test("the page of a reel shows its film, words, account and counts", async () => {
  const page = await textOf(standin().urlOf("CenAusten01"));
  const body = page.slice(page.indexOf("<body>"));
  for (const text of ["Jane Austen being polite about a horrible man", "@quiet.chapters", "58,211", "90,412", "4,210"])
    expect(body).toContain(text);
  const [film = ""] = attributes(body, /<video controls[^>]* src="([^"]*)"/g);
  const answer = await fetch(film);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "video/mp4"]);
  // other origins' pages may only show the media host's files with CORS
  expect(body.match(/<(?:video|img) /g)).toHaveLength(
    body.match(/<(?:video|img) [^>]*crossorigin="anonymous"/g)!.length,
  );
  await answer.body?.cancel();
});

test("a carousel's every film, a photo's picture, and counts that are unknown", async () => {
  const pageOf = (kind: string) => textOf(standin().urlOf(codeOfKind(standin(), kind)));
  expect((await pageOf("carousel")).match(/<video /g)).toHaveLength(2);
  const photo = await pageOf("photo");
  expect(photo).not.toContain("<video");
  expect(photo).toContain("<img ");
  expect((await pageOf("hiddenLikes")).match(/<dd>not told/g)).toHaveLength(3);
  expect(await pageOf("markupCaption")).not.toContain("<script>alert(1)");
});

test.each(["linkToPrivate", "linkToFile", "redirectToPrivate"])("%s leads no person's browser astray", async (kind) => {
  const page = await textOf(standin().urlOf(codeOfKind(standin(), kind)));
  expect(page.slice(page.indexOf("<body>"))).not.toMatch(/<video|10\.0\.0\.1|169\.254|file:/);
  expect(page).toContain("Its video is not shown here");
});
