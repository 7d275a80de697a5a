import { defineConfig } from "vitest/config";

const workspaces = ["contract", "client", "whisper", "platform-standin", "web", "server"];
const conditions = ["@reelscript/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    // Child processes run what is built, because Node itself reads no TypeScript.
    globalSetup: ["scripts/build-before-tests.mjs"],
    projects: workspaces.map((name) => ({
      extends: true as const,
      test: { name, include: [`${name}/test/**/*.test.ts`], testTimeout: 60_000, hookTimeout: 120_000 },
    })),
  },
});
