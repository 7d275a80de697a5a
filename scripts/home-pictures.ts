import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";

const folder = path.resolve("server/docs-page/pictures");
const width = 1200;
const height = 750;

/** Reels of the stand-in whose words make a library, and a word that several of them contain. */
const codes = ["CenWeasels1", "CenConferen", "CenCompany1"];
const word = "you";

const bioPage = {
  displayName: "Ana Souza",
  bio: "Coffee in under a minute. Lisbon.",
  theme: { preset: "warm" },
  links: [
    { title: "Morning routine", url: "https://example.com/morning", highlighted: true },
    { title: "The grinder I use", url: "https://example.com/grinder" },
    { title: "Newsletter", url: "https://example.com/letter" },
  ],
};

const patience = 300_000;

/** Retries for five minutes: a busy machine takes longer than a call waits. */
export async function until(attempt: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + patience;
  for (;;)
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

/** Takes the home page's pictures, light and dark, from a running service, to which somebody is signed in. */
export async function takeHomePictures(page: Page, url: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.setViewportSize({ width, height });
  const call = async (method: string, address: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await page.request.fetch(`${url}/app/api${address}`, {
      method,
      headers: { origin: url },
      timeout: patience,
      ...(body !== undefined && { data: body }),
    });
    if (!answer.ok()) throw new Error(`${method} ${address}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { sampleReelUrl } = await call("GET", "/session");
  for (const code of codes)
    await until(() =>
      call("POST", "/transcribe", { url: String(sampleReelUrl).replace(/\/reel\/[^/]+/, `/reel/${code}`) }),
    );
  const collection: unknown = JSON.parse(
    await readFile("web/src/pages/reports/import/example-collection.json", "utf8"),
  );
  const { id } = await call("POST", "/competitor-reports", collection);
  await call("POST", "/bio/handle", { handle: "ana.souza" });
  await call("PATCH", "/bio", bioPage);
  const places = [
    ["search", `/app/library?query=${word}`, "mark"],
    ["report", `/app/reports/${String(id)}`, "#next-posts"],
    ["bio-page", "/@ana.souza", "h1"],
  ] as const;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, address, sign] of places) {
      // A bio page has its theme's colors in light and dark mode.
      if (name === "bio-page" && colorScheme === "dark") continue;
      await page.goto(url + address);
      await page.locator(sign).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      const picture = await page.screenshot({ animations: "disabled" });
      const file = path.join(folder, `${name}${colorScheme === "dark" ? "-dark" : ""}.webp`);
      await sharp(picture).webp({ quality: 82 }).toFile(file);
      console.log(file);
    }
  }
}
