import { inlineRequests } from "@reelscript/contract/inline-requests";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { frameFirst } from "./build/frame-first.ts";

const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8787";

export default defineConfig({
  base: "/app/",
  plugins: [inlineRequests(), react(), frameFirst()],
  resolve: { conditions: ["@reelscript/source", ...defaultClientConditions] },
  // The pages' policy allows files of this origin only, nothing that is in the page.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: "es2023", reportCompressedSize: false },
  server: { proxy: { "/app/api": service, "/auth": service } },
});
