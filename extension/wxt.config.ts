import { inlineRequests } from "@reelscript/contract/inline-requests";
import { defaultClientConditions } from "vite";
import { defineConfig } from "wxt";
import { version } from "./package.json";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  // Where the person's own service is; without permission for it nothing gets there.
  "connect-src https: http://localhost:* http://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors https://www.instagram.com",
].join("; ");

/** Gives the extension the same id wherever it is loaded from. What signs it is with the store. */
const publicKey =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6pMbnrt/NDXOfCSfP7sYhTeH3lU7FZh3bDztJVbh4UlMnPrz/4flxYtjHdHIxuuIOj5Wt6SVSAObVdgFaZdZPyOduz8xD5gHCxlI5m1F7k1QhuXIh2rbLbJ1DC6TYI89fWCKugEUI9EiRiD8/QjOnhZj7XXgZwM27P2KAOVpqz+n3dOYc2cIvjZyflt5waOl8Pkf0lpzsIiX1tNYV2/YSWLWFB925ZOOUwC0yII4DOIiMzELefiOoWPvv/YazMG9Dj8cFTmtSK4aq1C3io55Pw9tIeCeMOw6eEXzX14G+FvUonlHwL70xATfgxn1YzQ4WtGWUlEhzwdSOmPsuOV8bwIDAQAB";

export default defineConfig({
  srcDir: "src",
  imports: false,
  manifestVersion: 3,
  // Frames cannot load styles and scripts that another document preloads for them.
  vite: () => ({
    plugins: [inlineRequests()],
    resolve: { conditions: ["@reelscript/source", ...defaultClientConditions] },
    build: { modulePreload: false, assetsInlineLimit: 0, target: "es2023", reportCompressedSize: false },
  }),
  manifest: ({ browser }) => ({
    name: "Reelscript",
    short_name: "Reelscript",
    description: "Turn reels into text, follow along word by word, and analyze profiles.",
    version,
    icons: { 16: "icon/16.png", 32: "icon/32.png", 48: "icon/48.png", 128: "icon/128.png" },
    action: { default_title: "Reelscript", default_popup: "popup.html" },
    permissions: ["storage", "scripting"],
    // Asked for at Connect: one for the platform, one for the person's own service.
    optional_host_permissions: [
      "https://www.instagram.com/*",
      "https://*/*",
      "http://localhost/*",
      "http://127.0.0.1/*",
    ],
    content_security_policy: { extension_pages: policy },
    web_accessible_resources: [{ resources: ["panel.html"], matches: ["https://www.instagram.com/*"] }],
    ...(browser === "firefox"
      ? {
          browser_specific_settings: {
            gecko: {
              id: "extension@reelscript.app",
              strict_min_version: "142.0",
              data_collection_permissions: { required: ["websiteContent"] },
            },
          },
        }
      : { key: publicKey, minimum_chrome_version: "123" }),
  }),
});
