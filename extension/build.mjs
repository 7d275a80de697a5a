// Builds the extension into `.output/{browser}-mv3`. What the browsers get differs in the manifest alone.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { inlineRequests } from "@reelscript/contract/inline-requests";
import { build, defaultClientConditions } from "vite";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const root = new URL("src/entrypoints/", import.meta.url);
/** @param {string} browser */
const outputFor = (browser) => new URL(`.output/${browser}-mv3/`, import.meta.url);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  // The person's own service; without permission for it no request gets there.
  "connect-src https: http://localhost:* http://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors https://www.instagram.com",
].join("; ");

const manifest = {
  manifest_version: 3,
  name: "Reelscript",
  description: "Turn reels into text, follow along word by word, and analyze profiles.",
  version,
  short_name: "Reelscript",
  icons: { 16: "icon/16.png", 32: "icon/32.png", 48: "icon/48.png", 128: "icon/128.png" },
  action: { default_title: "Reelscript", default_popup: "popup.html" },
  permissions: ["storage", "scripting"],
  // Asked for at Connect: one for the platform, one for the person's own service.
  optional_host_permissions: ["https://www.instagram.com/*", "https://*/*", "http://localhost/*", "http://127.0.0.1/*"],
  content_security_policy: { extension_pages: policy },
  web_accessible_resources: [{ resources: ["panel.html"], matches: ["https://www.instagram.com/*"] }],
};

const additions = {
  chrome: {
    /** Gives the extension the same id wherever it is loaded from. What signs it is with the store. */
    key: "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6pMbnrt/NDXOfCSfP7sYhTeH3lU7FZh3bDztJVbh4UlMnPrz/4flxYtjHdHIxuuIOj5Wt6SVSAObVdgFaZdZPyOduz8xD5gHCxlI5m1F7k1QhuXIh2rbLbJ1DC6TYI89fWCKugEUI9EiRiD8/QjOnhZj7XXgZwM27P2KAOVpqz+n3dOYc2cIvjZyflt5waOl8Pkf0lpzsIiX1tNYV2/YSWLWFB925ZOOUwC0yII4DOIiMzELefiOoWPvv/YazMG9Dj8cFTmtSK4aq1C3io55Pw9tIeCeMOw6eEXzX14G+FvUonlHwL70xATfgxn1YzQ4WtGWUlEhzwdSOmPsuOV8bwIDAQAB",
    minimum_chrome_version: "123",
    background: { service_worker: "background.js" },
  },
  firefox: {
    browser_specific_settings: {
      gecko: {
        id: "extension@reelscript.app",
        strict_min_version: "142.0",
        data_collection_permissions: { required: ["websiteContent"] },
      },
    },
    background: { scripts: ["background.js"] },
  },
};

/** @type {(names: string[], output: import("vite").Rolldown.OutputOptions) => Promise<unknown>} */
const buildInto = (names, output) =>
  build({
    configFile: false,
    root: root.pathname,
    publicDir: false,
    logLevel: "warn",
    plugins: [inlineRequests()],
    resolve: { conditions: ["@reelscript/source", ...defaultClientConditions] },
    build: {
      outDir: outputFor("chrome").pathname,
      emptyOutDir: false,
      // Frames cannot load styles and scripts that another document preloads for them.
      modulePreload: false,
      assetsInlineLimit: 0,
      target: "es2023",
      reportCompressedSize: false,
      rolldownOptions: { input: names.map((name) => new URL(name, root).pathname), output },
    },
  });

rmSync(new URL(".output", import.meta.url), { recursive: true, force: true });
await buildInto(["popup.html", "panel.html", "connect.html"], { chunkFileNames: "chunks/[name]-[hash].js" });
// These run where modules don't exist.
for (const name of ["background", "page", "watch"])
  await buildInto([`${name}.ts`], { format: "iife", entryFileNames: "[name].js" });
cpSync(new URL("public", import.meta.url), outputFor("chrome"), { recursive: true });
cpSync(outputFor("chrome"), outputFor("firefox"), { recursive: true });
for (const [browser, more] of Object.entries(additions))
  writeFileSync(new URL("manifest.json", outputFor(browser)), JSON.stringify({ ...manifest, ...more }));
