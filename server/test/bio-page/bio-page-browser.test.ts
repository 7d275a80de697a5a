import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { contrastOf } from "@reelscript/contract";
import type { BrowserContext } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RenderedPage } from "../../src/bio-page/page-document.ts";
import { renderBioPage, renderPreview } from "../../src/bio-page/render-bio-page.ts";
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
let context: BrowserContext;
let served: RenderedPage;
let asked: string[] = [];

/** Opens a page as its address would answer it, and tells all that the browser complained of. */
async function open(rendered: RenderedPage) {
  served = rendered;
  asked = [];
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/@lenabakes`);
  return { page, complaints };
}

describe.skipIf(chromiumProgram === undefined)(`bio pages in a browser${unlessSkipped}`, () => {
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, served.headers).end(served.html);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    context = await openContext({ viewport: { width: 390, height: 844 } });
  });
  afterAll(async () => {
    await context.close();
    server.close();
  });

  test.each(presets.map((preset, index) => [preset, people[index % people.length] ?? []] as const))(
    "the look %s is one request, keeps to its policy and can be used by everybody",
    async (preset, [displayName, bio]) => {
      const { page, complaints } = await open(renderBioPage(samplePage({ displayName, bio, theme: { preset } })));
      expect(await page.evaluate("getComputedStyle(document.querySelector('li a')).display"), "styled").toBe("flex");
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling").toBe(
        true,
      );
      const violations = await violationsOf(page);
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: path.join(SCREENSHOTS, `bio-page-${preset}.png`), fullPage: true });
      expect(complaints).toEqual([]);
      expect(asked).toEqual(["/@lenabakes"]);
      await page.close();
    },
  );

  test.each(presets)("every text of the look %s can be read on the very pixels behind it", async (preset) => {
    const [displayName, bio] = people[0]!;
    const { page } = await open(renderBioPage(samplePage({ displayName, bio, theme: { preset } })));
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: path.join(SCREENSHOTS, `bio-page-${preset}-${width}.png`), fullPage: true });
      const texts = await page.evaluate(() =>
        [...document.querySelectorAll("h1 span, .handle, .about, h2, li span, .made-with")].flatMap((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const color = getComputedStyle(element).color.match(/\d+/g)!.slice(0, 3).map(Number);
          return [...range.getClientRects()].map(({ x, y, width: wide, height }) => ({
            text: element.textContent,
            color,
            box: { left: x + scrollX, top: y + scrollY, width: wide, height },
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
      for (const { text, color, box } of texts) {
        const behind = new Set<string>();
        for (let y = Math.max(0, Math.round(box.top)); y < Math.min(info.height, box.top + box.height); y += 1)
          for (let x = Math.max(0, Math.round(box.left)); x < Math.min(info.width, box.left + box.width); x += 1)
            behind.add(data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3).toString("hex"));
        const ink = `#${Buffer.from(color).toString("hex")}`;
        const least = Math.min(...[...behind].map((ground) => contrastOf(`#${ground}`, ink)));
        expect(least, `${width}: ${text}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    await page.close();
  });

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
    expect([complaints, asked]).toEqual([[], ["/@lenabakes"]]);
    await page.close();
  });

  test("a preview can be used by everybody, and none of its links leads anywhere", async () => {
    const { page, complaints } = await open(renderPreview(samplePage()));
    await page.getByText("Book a table, Lisbon").click({ force: true });
    await page.getByLabel("Instagram").click({ force: true });
    expect(page.url()).toMatch(/\/@lenabakes$/);
    const violations = await violationsOf(page);
    expect(violations.map(({ id }) => id)).toEqual([]);
    expect([complaints, asked]).toEqual([[], ["/@lenabakes"]]);
    await page.close();
  });
});
