import { fileURLToPath } from "node:url";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Those with long files first, after `accuracy`, so that at the end there is something short left for every worker. */
const workspaces = ["whisper", "web", "extension", "server", "client", "platform-standin", "contract"];
/** Judges how well speech is recognized, over minutes of it: `npm run accuracy`. */
const accuracy = "{whisper,server}/test/accuracy/**/*.test.ts";
// Without "module": some libraries name files there that only bundlers can read.
const conditions = ["@reelscript/source", "node", "development|production"];

/** They listen to speech, start programs, install, open every page, or wait for limits. */
const longFiles =
  /\/(accuracy|recognition|program|browser)\/|\/service\/(languages|failures|transcribe|docs)\.|\/(backups|embedded|fuzz|model-commands|backup|media-decoder|decoder-children|generated-clients|ytdlp-commands|start|sent-\w+)\.test/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification): number => Number(!longFiles.test(moduleId));
    const place = ({ project }: TestSpecification): number => workspaces.indexOf(project.name);
    const sorted = await super.sort(files);
    // Files of one project stay together, because a worker is used again only for the same project.
    return sorted.toSorted((one, other) => place(one) - place(other) || isShort(one) - isShort(other));
  }
}

/** Nobody takes skipped for passed: each test that was left out is named at the end, or the group whose tests all were. */
class SkippedAloud implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test) => {
        const { parent } = test;
        const isWhole =
          parent.type === "suite" && [...parent.children.allTests()].every((one) => one.result().state === "skipped");
        const result = test.result();
        const reason = result.state === "skipped" && result.note !== undefined ? `: ${result.note}` : "";
        return `SKIPPED ${module.relativeModuleId}: ${(isWhole ? parent : test).fullName}${reason}\n`;
      }),
    );
    process.stdout.write([...new Set(skipped)].join(""));
  }
}

const { TEST_RESULTS } = process.env;

export default defineConfig({
  resolve: {
    conditions,
    alias: { "n8n-workflow": fileURLToPath(new URL("server/test/harness/n8n-workflow.ts", import.meta.url)) },
  },
  ssr: { resolve: { conditions } },
  test: {
    // More than cores: many tests wait for a disk, a browser or a child process.
    maxWorkers: 4,
    // Files share their worker and the modules it has read: reading them again for every file would cost minutes.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // On a busy machine things happen late; a poll that succeeds waits no longer than they take.
    expect: { poll: { interval: 20, timeout: 400_000 } },
    teardownTimeout: 60_000,
    // Child processes run what is built, because Node itself reads no TypeScript.
    globalSetup: ["scripts/build-before-tests.mjs"],
    setupFiles: ["scripts/seed-tests.mjs"],
    reporters: [
      "default",
      new SkippedAloud(),
      ...(TEST_RESULTS ? [["json", { outputFile: TEST_RESULTS }] as ["json", object]] : []),
    ],
    projects: [
      ...workspaces.map((name) => [name, [`${name}/test/**/*.test.ts`], [accuracy]] as const),
      ["accuracy", [accuracy], []] as const,
    ].map(([name, include, exclude]) => ({
      extends: true as const,
      test: { name, include: [...include], exclude: [...exclude], testTimeout: 600_000, hookTimeout: 600_000 },
    })),
  },
});
