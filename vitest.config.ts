import { defineConfig } from "vitest/config";

const workspaces = ["contract", "client", "whisper", "platform-standin", "server"];
const conditions = ["@reelscript/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    projects: workspaces.map((name) => ({
      extends: true as const,
      test: { name, include: [`${name}/test/**/*.test.{ts,tsx}`], testTimeout: 30_000, hookTimeout: 60_000 },
    })),
  },
});
