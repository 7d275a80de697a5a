import { existsSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";

/** Milliseconds, except for the shift, which is a score, and the rows. */
export interface PageTimes {
  /** Until the largest content was painted. */
  readonly paint: number;
  /** Total blocking time: the part of tasks beyond 50 ms each. */
  readonly blocking: number;
  /** From pressing Select to the next paint. */
  readonly select: number;
  /** Layout shift without input, as browsers score it. */
  readonly shift: number;
  /** Work of the main thread until the page was idle. */
  readonly task: number;
  readonly script: number;
  readonly layout: number;
  /** Rows in the document when it was idle. */
  readonly rows: number;
  /** A loop that is always the same, for comparing machines. */
  readonly loop: number;
}

/** A phone without a cache. */
export interface Phone {
  /** Opens the library of a session as if for the first time. */
  visit(url: string, session: string): Promise<PageTimes>;
  /** Does the same on a processor that isn't slowed; returns the milliseconds that the processes of its pages have computed. */
  compute(url: string, session: string): Promise<number>;
  stop(): Promise<void>;
}

interface Recorded {
  paint: number;
  blocking: number;
  shift: number;
  presses: number[];
}

const record = `
  globalThis.recorded = { paint: 0, blocking: 0, shift: 0, presses: [] };
  const observe = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  observe("largest-contentful-paint", ({ startTime }) => (recorded.paint = startTime));
  observe("longtask", ({ duration }) => (recorded.blocking += Math.max(0, duration - 50)));
  observe("layout-shift", ({ value, hadRecentInput }) => (recorded.shift += hadRecentInput ? 0 : value));
  observe("event", ({ name, duration }) => name === "click" && recorded.presses.push(duration), { durationThreshold: 16 });`;

/** Long enough for a page that a timer, a font or a late response still changes. */
const restMilliseconds = 1_000;
const mostMilliseconds = 120_000;

export async function openPhone(
  program: string,
  { slowdown, rowsBeforeSelect }: { readonly slowdown: number; readonly rowsBeforeSelect: number },
): Promise<Phone> {
  // The headless shell opens no windows of its own, which would compute beside the page.
  const shell = path.join(path.dirname(program), "chromium-headless-shell");
  const browser = await chromium.launch({
    executablePath: existsSync(shell) ? shell : program,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const tools = await browser.newBrowserCDPSession();
  return {
    visit: (url, session) =>
      inWindow(browser, { url, session, slowdown }, (page, pageTools) =>
        visit(page, { url, tools: pageTools, rowsBeforeSelect }),
      ),
    compute: (url, session) =>
      inWindow(browser, { url, session, slowdown: 1 }, async (page) => {
        const before = await processorTimes(tools);
        await openLibrary(page, url);
        const after = await processorTimes(tools);
        return [...after].reduce((sum, [id, time]) => sum + time - (before.get(id) ?? 0), 0);
      }),
    stop: () => browser.close(),
  };
}

/** Milliseconds that the processes of pages have computed, by process. */
async function processorTimes(tools: CDPSession): Promise<ReadonlyMap<number, number>> {
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo");
  return new Map(
    processInfo.filter(({ type }) => type === "renderer").map(({ id, cpuTime }) => [id, cpuTime * 1_000] as const),
  );
}

/** A new window of somebody who is signed in. */
async function inWindow<Result>(
  browser: Browser,
  { url, session, slowdown }: { readonly url: string; readonly session: string; readonly slowdown: number },
  work: (page: Page, tools: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  try {
    context.setDefaultTimeout(mostMilliseconds);
    const name = `reelscript_session_${new URL(url).port}`;
    await context.addCookies([{ name, value: session, url, httpOnly: true, sameSite: "Lax" }]);
    await context.addInitScript(record);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send("Performance.enable");
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return await work(page, tools);
  } finally {
    await context.close();
  }
}

async function openLibrary(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/app/library`);
  await page.locator(".list a.words").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(restMilliseconds);
}

interface Visit {
  readonly url: string;
  readonly tools: CDPSession;
  readonly rowsBeforeSelect: number;
}

async function visit(page: Page, { url, tools, rowsBeforeSelect }: Visit): Promise<PageTimes> {
  const before = await mainThread(tools);
  await openLibrary(page, url);
  const after = await mainThread(tools);
  const { paint, blocking, shift } = await recorded(page);
  const rows = await page.locator(".list > li").count();
  const loop = await page.evaluate(fixedLoop);
  const select = await pressSelect(page, rowsBeforeSelect);
  const [task, script, layout] = after.map((time, part) => time - before[part]!) as [number, number, number];
  return { paint, blocking, shift, select, task, script, layout, rows, loop };
}

const recorded = (page: Page): Promise<Recorded> => page.evaluate("globalThis.recorded");

/** Milliseconds of all tasks, of scripts, and of styles and layout. */
async function mainThread(tools: CDPSession): Promise<readonly number[]> {
  const { metrics } = await tools.send("Performance.getMetrics");
  const of = (metricName: string): number => (metrics.find(({ name }) => name === metricName)?.value ?? 0) * 1_000;
  return [of("TaskDuration"), of("ScriptDuration"), of("LayoutDuration") + of("RecalcStyleDuration")];
}

/** Loads rows by scrolling, goes back to the top and presses Select; milliseconds until that was painted. */
async function pressSelect(page: Page, rowsBefore: number): Promise<number> {
  const last = page.locator(".list > li").last();
  const total = Number(await last.getAttribute("aria-setsize"));
  for (let position = 0; position < Math.min(total, rowsBefore);) {
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.waitForTimeout(50);
    position = Number(await last.getAttribute("aria-posinset"));
  }
  await page.evaluate("scrollTo(0, 0)");
  await page.locator('.list > li[aria-posinset="1"]').waitFor();
  await page.waitForTimeout(restMilliseconds);
  const before = (await recorded(page)).presses.length;
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("region", { name: "Selected scripts" }).waitFor();
  await page.waitForFunction(
    (count) => (globalThis as unknown as { recorded: Recorded }).recorded.presses.length > count,
    before,
  );
  return Math.max(...(await recorded(page)).presses.slice(before));
}

function fixedLoop(): number {
  const from = performance.now();
  let state = 1;
  for (let turn = 0; turn < 50_000_000; turn += 1) state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
  return state === -1 ? 0 : performance.now() - from;
}
