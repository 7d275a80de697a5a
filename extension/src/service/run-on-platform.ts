import { browser } from "wxt/browser";
import { platformPattern } from "./base-url.ts";

const scripts = [
  { id: "watch", js: ["watch.js"], world: "MAIN" as const },
  { id: "page", js: ["page.js"], world: "ISOLATED" as const },
];

async function missingScripts(): Promise<typeof scripts> {
  const registered = await browser.scripting.getRegisteredContentScripts();
  return scripts.filter(({ id }) => !registered.some((one) => one.id === id));
}

/** Once the person has given permission for the platform, our scripts run in its pages: new ones and those already open. */
export async function runOnPlatform(): Promise<void> {
  if (!(await browser.permissions.contains({ origins: [platformPattern] }))) return;
  const missing = await missingScripts();
  if (missing.length === 0) return;
  try {
    await browser.scripting.registerContentScripts(
      missing.map((script) => ({ ...script, matches: [platformPattern], runAt: "document_start" as const })),
    );
  } catch (error) {
    // The background and the page that asked for the permission may do this at the same moment.
    if ((await missingScripts()).length > 0) throw error;
    return;
  }
  for (const { id } of await browser.tabs.query({ url: platformPattern }))
    for (const { js, world } of scripts)
      if (id !== undefined)
        await browser.scripting.executeScript({ target: { tabId: id }, files: js as never, world }).catch(() => []);
}
