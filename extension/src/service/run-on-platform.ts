import { browser } from "@wxt-dev/browser";
import { platformPattern } from "./base-url.ts";

const scripts = [
  { id: "watch", js: ["watch.js"], world: "MAIN" as const },
  { id: "page", js: ["page.js"], world: "ISOLATED" as const },
];

/** Once the person has granted permission for the platform, our scripts run in its pages: new ones and those already open. */
export async function runOnPlatform(): Promise<void> {
  if (!(await browser.permissions.contains({ origins: [platformPattern] }))) return;
  // The background and every page that asked for the permission do this at the same moment. The browser refuses an id that it
  // is still registering, and doesn't list it yet.
  await navigator.locks.request("run-on-platform", register);
}

async function register(): Promise<void> {
  const registered = await browser.scripting.getRegisteredContentScripts();
  const missing = scripts.filter(({ id }) => !registered.some((one) => one.id === id));
  if (missing.length === 0) return;
  await browser.scripting.registerContentScripts(
    missing.map((script) => ({ ...script, matches: [platformPattern], runAt: "document_start" as const })),
  );
  // Not awaited, because a tab that hangs would block connecting.
  for (const { id } of await browser.tabs.query({ url: platformPattern }))
    for (const { js, world } of scripts)
      if (id !== undefined)
        browser.scripting.executeScript({ target: { tabId: id }, files: js as never, world }).catch(() => undefined);
}
