// Walks the first five minutes of a new person in Chromium, on a service of its own that is thrown away, and keeps a
// picture of every step: `npm run screenshots -- FOLDER`.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { build } from "./build.mjs";

const widths = [1440, 390];
const patience = 120_000;

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const folder = path.resolve(process.argv[2] ?? "screenshots");
await mkdir(folder, { recursive: true });
const directory = await mkdtemp(path.join(tmpdir(), "reelscript-screenshots-"));
const service = await startService();
const steps = [];
try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    // The policy of the pages lets nobody put axe into them; a browser without it sees the same pages.
    const context = await browser.newContext({ bypassCSP: true });
    await walk(await context.newPage(), service.url);
  } finally {
    await browser.close();
  }
} finally {
  service.stop();
  await service.ended;
  await rm(directory, { recursive: true, force: true });
}
await writeFile(path.join(folder, "index.md"), indexOf(steps));
const found = steps.flatMap(({ findings }) => findings);
console.log(`${steps.length} steps in ${folder}, ${found.length === 0 ? "no findings of axe" : "findings of axe:"}`);
for (const finding of found) console.log(`  ${finding}`);

async function walk(page, url) {
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
  await page.getByRole("button", { name: "Copy text" }).waitFor();
  await keep("script", "The script");
  await page.goto(`${url}/app/settings/keys`);
  await page.getByRole("button", { name: "New key" }).click();
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

/** Takes a step's pictures in every width, and asks axe about the page. */
function keeperOf(page) {
  return async (name, title, { whole = true } = {}) => {
    const number = String(steps.length + 1).padStart(2, "0");
    const step = { title, files: [], findings: [] };
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 800 ? 844 : 900 });
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.evaluate(() => document.fonts.ready);
      const file = `${number}-${name}-${width}.png`;
      await page.screenshot({ path: path.join(folder, file), fullPage: whole, animations: "disabled" });
      step.files.push(file);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run({ exclude: ["iframe"] }, { iframes: false, resultTypes: ["violations"] }),
      );
      for (const { id, impact, nodes } of violations)
        step.findings.push(`${file}: ${impact} ${id}: ${nodes[0].html.slice(0, 160)}`);
    }
    await page.setViewportSize({ width: widths[0], height: 900 });
    steps.push(step);
    console.log(`${number} ${title}`);
  };
}

async function until(attempt) {
  const end = Date.now() + patience;
  for (;;) {
    const problem = await attempt().then(
      () => undefined,
      (error) => error,
    );
    if (problem === undefined) return;
    if (Date.now() > end) throw problem;
  }
}

function indexOf(all) {
  const sections = all.map(({ title, files, findings }, index) => {
    const pictures = files.map((file) => `![${title}](${file})`).join("\n");
    const said = findings.length === 0 ? "axe finds nothing." : findings.map((one) => `- ${one}`).join("\n");
    return `## ${index + 1}. ${title}\n\n${pictures}\n\n${said}\n`;
  });
  return `# The first five minutes\n\n${sections.join("\n")}`;
}

async function startService() {
  const [port, standinPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [fileURLToPath(new URL("../server/dist/main.js", import.meta.url))], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: path.join(directory, "data"),
      PORT: String(port),
      STANDIN: "1",
      STANDIN_PORT: String(standinPort),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = () => child.kill("SIGTERM");
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error("the service ended");
      await new Promise((resolve) => setTimeout(resolve, 250));
      const { status } = await fetch(`${url}/readyz`);
      if (status !== 200) throw new Error(`the service is not ready: ${status}`);
    });
  } catch (error) {
    stop();
    await ended;
    throw error;
  }
  return { url, stop, ended };
}

/** Free now; the next port is for the media of the stand-in, and most likely free too. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
