import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";

const folder = path.resolve("server/docs-page/pictures");

/** CSS pixels of a window, of the part of it that is pictured, and device pixels of the picture. */
interface Frame {
  readonly suffix: "" | "-phone";
  readonly window: { readonly width: number; readonly height: number };
  /** The part's left edge, past the navigation. */
  readonly left: number;
  readonly part: { readonly width: number; readonly height: number };
  readonly picture: { readonly width: number; readonly height: number };
}

/** Parts small enough that their words can be read on the home page. */
const frames: readonly Frame[] = [
  {
    suffix: "",
    window: { width: 960, height: 700 },
    left: 236,
    part: { width: 712, height: 445 },
    picture: { width: 1200, height: 750 },
  },
  {
    suffix: "-phone",
    window: { width: 390, height: 844 },
    left: 0,
    part: { width: 390, height: 320 },
    picture: { width: 780, height: 640 },
  },
];

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
  /** Each for a wide window and a phone: what the picture begins with, or how wide the window is of which it shows the top. */
  const places = [
    {
      name: "search",
      address: `/app/library?query=${word}`,
      sign: "mark",
      top: ["[role=search]", ".list-head"],
      widths: undefined,
    },
    {
      name: "report",
      address: `/app/reports/${String(id)}`,
      sign: "#next-posts",
      top: [".next-posts", ".next-posts"],
      widths: undefined,
    },
    { name: "bio-page", address: "/@ana.souza", sign: "h1", top: undefined, widths: [1200, 640] },
  ] as const;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [index, frame] of frames.entries())
      for (const { name, address, sign, top, widths } of places) {
        // A bio page has its theme's colors in light and dark mode.
        if (name === "bio-page" && colorScheme === "dark") continue;
        const width = widths?.[index] ?? frame.window.width;
        await page.setViewportSize({ ...frame.window, width });
        await page.goto(url + address);
        await page.locator(sign).first().waitFor();
        await page.evaluate(() => document.fonts.ready);
        const box = top && (await page.locator(top[index]!).first().boundingBox());
        const place = box
          ? { x: frame.left, y: Math.max(0, box.y - margin), ...frame.part }
          : { x: 0, y: 0, width, height: width / aspectOf(frame) };
        const taken = await page.screenshot({
          clip: place,
          fullPage: true,
          animations: "disabled",
          style: withoutTabBar,
        });
        const file = path.join(folder, `${name}${frame.suffix}${colorScheme === "dark" ? "-dark" : ""}.webp`);
        await sharp(taken)
          .resize(frame.picture.width, frame.picture.height, { fit: "fill" })
          .webp({ quality: 82 })
          .toFile(file);
        console.log(file);
      }
  }
}

const margin = 20;
const aspectOf = ({ picture: { width, height } }: Frame): number => width / height;

/** In a picture of a whole page, the bar of phones would be somewhere in the middle. */
const withoutTabBar = ".tab-bar { display: none !important }";
