// Walks through a new person's first five minutes in Chromium, on a temporary service, and saves a picture of every step: `npm
// run screenshots -- FOLDER`. With --home it renews the pictures of the home page instead.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import axe from "axe-core";
import { chromium, type Page } from "playwright-core";
import { takeHomePictures, until } from "./home-pictures.ts";
import { startProgram } from "./processes/start-program.ts";

interface Step {
  readonly title: string;
  readonly files: string[];
  readonly findings: string[];
}

const widths = [1440, 390];

const isOfHome = process.argv.includes("--home");
const folder = path.resolve(process.argv.slice(2).find((argument) => argument !== "--home") ?? "screenshots");
if (!isOfHome) await mkdir(folder, { recursive: true });
const directory = await mkdtemp(path.join(tmpdir(), "reelscript-screenshots-"));
const service = await startProgram({ environment: { DATA_DIR: path.join(directory, "data") } });
const steps: Step[] = [];
try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    // The pages' policy forbids injecting axe; a browser that ignores it sees the same pages.
    const context = await browser.newContext({ bypassCSP: true, deviceScaleFactor: isOfHome ? 2 : 1 });
    const page = await context.newPage();
    if (isOfHome) {
      await signIn(page, service.url!);
      await takeHomePictures(page, service.url!);
    } else await walk(page, service.url!);
  } finally {
    await browser.close();
  }
} finally {
  service.child.kill("SIGTERM");
  await service.ended;
  await rm(directory, { recursive: true, force: true });
}
if (!isOfHome) {
  await writeFile(path.join(folder, "index.md"), indexOf(steps));
  const findings = steps.flatMap((step) => step.findings);
  console.log(
    `${steps.length} steps in ${folder}, ${findings.length === 0 ? "no findings of axe" : "findings of axe:"}`,
  );
  for (const finding of findings) console.log(`  ${finding}`);
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/auth/login`);
  await page.getByLabel("Email").fill("ana@example.com");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/app\/(?!sign-in)/);
}

async function walk(page: Page, url: string): Promise<void> {
  const keep = keeperOf(page);
  await page.goto(url);
  await keep("home", "The home page");
  await page.goto(`${url}/app`);
  await page.getByRole("link", { name: "Continue with your account" }).waitFor();
  await keep("sign-in", "The sign-in page");
  await page.getByRole("link", { name: "Continue with your account" }).click();
  await keep("provider", "The provider for development");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/app\/(?!sign-in)/);
  await page.goto(`${url}/app/library`);
  await page.getByText("Try a sample reel").waitFor();
  await keep("empty-library", "The empty library");
  await page.getByText("Try a sample reel").click();
  await keep("transcribing", "The sample reel is being transcribed");
  await page.goto(`${url}/app/library`);
  const script = page.getByRole("main").locator('a[href*="/app/scripts/"]').first();
  await until(async () => {
    await page.reload();
    await script.waitFor({ timeout: 4_000 });
  });
  await keep("library", "The library with its first script");
  const word = await script.innerText().then((text) => /\p{L}{4,}/u.exec(text)?.[0] ?? "the");
  await page.goto(`${url}/app/library?query=${encodeURIComponent(word)}`);
  await script.waitFor();
  await keep("search", `A search for "${word}"`);
  await script.click();
  await page.getByRole("button", { name: "Copy", exact: true }).waitFor();
  await keep("script", "The script");
  await page.goto(`${url}/app/settings/keys`);
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("Laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByText("svc_sk_").first().waitFor();
  await keep("key", "A key, shown once");
  await page.getByLabel("I have copied it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.goto(`${url}/docs#transcribeReel`);
  await keep("reference", "The reference, at the first call", { whole: false });
  await page.goto(`${url}/app/bio`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await keep("bio-page", "The editor of the bio page");
}

/** Takes a step's pictures in every width and checks the page with axe. */
function keeperOf(page: Page) {
  return async (name: string, title: string, { whole = true } = {}): Promise<void> => {
    const number = String(steps.length + 1).padStart(2, "0");
    const step: Step = { title, files: [], findings: [] };
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 800 ? 844 : 900 });
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.evaluate(() => document.fonts.ready);
      const file = `${number}-${name}-${width}.png`;
      await page.screenshot({ path: path.join(folder, file), fullPage: whole, animations: "disabled" });
      step.files.push(file);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(
          { exclude: ["iframe"] },
          { iframes: false, resultTypes: ["violations"] },
        ),
      );
      for (const { id, impact, nodes } of violations)
        step.findings.push(`${file}: ${String(impact)} ${id}: ${nodes[0]!.html.slice(0, 160)}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    steps.push(step);
    console.log(`${number} ${title}`);
  };
}

function indexOf(all: readonly Step[]): string {
  const sections = all.map(({ title, files, findings }, index) => {
    const pictures = files.map((file) => `![${title}](${file})`).join("\n");
    const findingsText = findings.length === 0 ? "axe finds nothing." : findings.map((one) => `- ${one}`).join("\n");
    return `## ${index + 1}. ${title}\n\n${pictures}\n\n${findingsText}\n`;
  });
  return `# The first five minutes\n\n${sections.join("\n")}`;
}
