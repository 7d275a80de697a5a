import { createServer, type Server } from "node:http";
import path from "node:path";
import { contrastOf } from "@reelscript/contract";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RenderedPage } from "../../src/bio-page/page-document.ts";
import { renderBioPage } from "../../src/bio-page/render-bio-page.ts";
import { listen } from "../harness/listen.ts";
import { violationsOf } from "../harness/violations-of.ts";
import { presets, samplePage } from "./sample-page.ts";
import { chromiumProgram, openContext, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";

/** Pictures of the pages are kept in the folder that SCREENSHOTS names. */
const { SCREENSHOTS } = process.env;

const people = [
  ["Lena Bakes", "Bread with few words. Lisbon, mostly before seven in the morning."],
  ["आरव Edits", "मैं दूसरों की reels काटता हूँ, ताकि लोग आख़िर तक देखें।"],
  ["وليد يتحرك", "تمارين بلا أجهزة، من درج البيت. عشرون دقيقة كل صباح."],
  ["சமையல் மீனா", "ஒரு நிமிடத்தில் சமையல்"],
];

let server: Server;
let origin: string;
let context: BrowserContext;
let served: RenderedPage;
let requestedUrls: string[] = [];

/** Opens a page as its address would answer it, and tells all that the browser complained of. */
async function open(rendered: RenderedPage) {
  served = rendered;
  requestedUrls = [];
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${origin}/@lenabakes`);
  return { page, complaints };
}

/** Texts with too little contrast to one of the pixels behind them. */
async function unreadable(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() =>
    [...document.querySelectorAll("h1 span, .handle, .about, h2, li span, .made-with")].flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const color = getComputedStyle(element).color.match(/\d+/g)!.slice(0, 3).map(Number);
      return [...range.getClientRects()].map(({ left, top, right, bottom }) => ({
        text: element.textContent,
        color,
        rows: [top + scrollY, bottom + scrollY] as const,
        columns: [left + scrollX, right + scrollX] as const,
      }));
    }),
  );
  expect(texts.length).toBeGreaterThan(10);
  const hide = (color: string) =>
    page.evaluate((to) => {
      for (const element of document.querySelectorAll<HTMLElement>("body *")) element.style.color = to;
    }, color);
  await hide("transparent");
  const picture = sharp(await page.screenshot({ fullPage: true }))
    .removeAlpha()
    .raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  await hide("");
  return texts.flatMap(({ text, color, rows, columns }) => {
    const behind = new Set<number>();
    for (let y = Math.max(0, Math.round(rows[0])); y < Math.min(info.height, rows[1]); y += 1)
      for (let x = Math.max(0, Math.round(columns[0])); x < Math.min(info.width, columns[1]); x += 1)
        behind.add(data.readUIntBE((y * info.width + x) * 3, 3));
    const ink = `#${Buffer.from(color).toString("hex")}`;
    const least = Math.min(...[...behind].map((ground) => contrastOf(`#${ground.toString(16).padStart(6, "0")}`, ink)));
    return least >= 4.5 ? [] : [`${text}: ${least}`];
  });
}

describe.skipIf(chromiumProgram === undefined)(`bio pages in a browser${unlessSkipped}`, () => {
  beforeAll(async () => {
    server = createServer((request, response) => {
      requestedUrls.push(request.url ?? "");
      response.writeHead(200, served.headers).end(served.html);
    });
    ({ origin } = await listen(server));
    context = await openContext({ viewport: { width: 390, height: 844 } });
  });
  afterAll(async () => {
    await context.close();
    server.close();
  });

  test.each(presets.map((preset, index) => [preset, people[index % people.length] ?? []] as const))(
    "the look %s is one request, keeps to its policy, and can be used by everybody and read on the very pixels behind it",
    async (preset, [displayName, bio]) => {
      const { page, complaints } = await open(renderBioPage(samplePage({ displayName, bio, theme: { preset } })));
      expect(await page.evaluate("getComputedStyle(document.querySelector('li a')).display"), "styled").toBe("flex");
      // The pixels tell more of contrast.
      const violations = await violationsOf(page, { rules: { "color-contrast": { enabled: false } } });
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling").toBe(
          true,
        );
        if (SCREENSHOTS !== undefined)
          await page.screenshot({ path: path.join(SCREENSHOTS, `bio-page-${preset}-${width}.png`), fullPage: true });
        expect(await unreadable(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
      expect(requestedUrls).toEqual(["/@lenabakes"]);
      await page.close();
    },
  );

  test("a page on a sheet shows its last link whole", async () => {
    const background = { type: "gradient", value: "#10424a,#ffb48a" };
    const { page } = await open(renderBioPage(samplePage({ theme: { preset: "cool", background } })));
    const link = (await page.getByRole("link", { name: "Winter workshop" }).boundingBox())!;
    const footer = (await page.locator("footer").boundingBox())!;
    expect(link.y + link.height).toBeLessThanOrEqual(footer.y + 1);
    await page.close();
  });

  test("a hostile page runs nothing and keeps to its policy", async () => {
    const evil = `</style><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    const content = { displayName: evil.slice(0, 60), bio: evil, theme: { colors: { text: "#fff" } } };
    const { page, complaints } = await open(renderBioPage(samplePage({ ...content, seo: { title: "Quiet" } })));
    expect(await page.title()).toBe("Quiet");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator(".about").textContent()).toBe(evil);
    expect([complaints, requestedUrls]).toEqual([[], ["/@lenabakes"]]);
    await page.close();
  });

  test("a preview is accessible, and none of its links leads anywhere", async () => {
    const { page, complaints } = await open(renderBioPage(samplePage(), "preview"));
    await page.getByText("Book a table, Lisbon").click({ force: true });
    await page.getByLabel("Instagram").click({ force: true });
    expect(page.url()).toMatch(/\/@lenabakes$/);
    const violations = await violationsOf(page);
    expect(violations.map(({ id }) => id)).toEqual([]);
    expect([complaints, requestedUrls]).toEqual([[], ["/@lenabakes"]]);
    await page.close();
  });
});
