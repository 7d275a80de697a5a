import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderBioPage, renderPreview, type RenderedPage } from "../../src/bio-page/render-bio-page.ts";
import { presets, samplePage } from "./sample-page.ts";

/** Pictures of the pages are kept in the folder that SCREENSHOTS names. */
const { CHROMIUM, SCREENSHOTS } = process.env;

const people = [
  ["Lena Bakes", "Bread with few words. Lisbon, mostly before seven in the morning."],
  ["आरव Edits", "मैं दूसरों की reels काटता हूँ, ताकि लोग आख़िर तक देखें।"],
  ["وليد يتحرك", "تمارين بلا أجهزة، من درج البيت. عشرون دقيقة كل صباح."],
  ["சமையல் மீனா", "ஒரு நிமிடத்தில் சமையல்"],
];

let server: Server;
let browser: Browser;
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

describe.skipIf(CHROMIUM === undefined)(
  `bio pages in a browser${CHROMIUM === undefined ? " (skipped: CHROMIUM names no Chromium program)" : ""}`,
  () => {
    beforeAll(async () => {
      server = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.writeHead(200, served.headers).end(served.html);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
      context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    });
    afterAll(async () => {
      await browser.close();
      server.close();
    });

    test.each(presets.map((preset, index) => [preset, people[index % people.length] ?? []] as const))(
      "the look %s is one request, keeps to its policy and can be used by everybody",
      async (preset, [displayName, bio]) => {
        const { page, complaints } = await open(renderBioPage(samplePage({ displayName, bio, theme: { preset } })));
        expect(
          await page.evaluate("getComputedStyle(document.querySelector('h1 span')).borderRadius"),
          "styled",
        ).not.toBe("0px");
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling").toBe(
          true,
        );
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
        if (SCREENSHOTS !== undefined)
          await page.screenshot({ path: path.join(SCREENSHOTS, `bio-page-${preset}.png`), fullPage: true });
        expect(complaints).toEqual([]);
        expect(asked).toEqual(["/@lenabakes"]);
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
      expect(await page.locator(".ab").textContent()).toBe(evil);
      expect([complaints, asked]).toEqual([[], ["/@lenabakes"]]);
      await page.close();
    });

    test("a preview can be used by everybody, and none of its links leads anywhere", async () => {
      const { page, complaints } = await open(renderPreview(samplePage()));
      await page.getByText("Book a table, Lisbon").click({ force: true });
      await page.getByLabel("Instagram").click({ force: true });
      expect(page.url()).toMatch(/\/@lenabakes$/);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      expect([complaints, asked]).toEqual([[], ["/@lenabakes"]]);
      await page.close();
    });
  },
);
