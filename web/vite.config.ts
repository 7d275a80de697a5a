import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { operationSummaries } from "./build/operation-summaries.ts";
import { operationTable } from "./build/operation-table.ts";

const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8787";

export default defineConfig({
  base: "/app/",
  plugins: [operationTable(), operationSummaries(), react()],
  resolve: { conditions: ["@reelscript/source", ...defaultClientConditions] },
  // The pages' policy allows files of this origin only, nothing that is in the page.
  build: { assetsInlineLimit: 0, target: "es2023", reportCompressedSize: false },
  server: { proxy: { "/app/api": service, "/auth": service } },
});
