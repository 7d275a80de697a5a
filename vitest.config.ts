import { fileURLToPath } from "node:url";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Judges how well speech is recognized, over minutes of it: `npm run accuracy`. */
const accuracy = "{whisper,server}/test/accuracy/**/*.test.ts";
// Without "module": some libraries name files there that only bundlers can read.
const conditions = ["@reelscript/source", "node", "development|production"];

/** They listen to speech, start programs, install, open every page, or wait for limits. */
const longFiles =
  /\/(accuracy|recognition|program|browser)\/|\/service\/(languages|failures|transcribe|docs)\.|\/(backups|embedded|fuzz|model-commands|backup|media-decoder|decoder-children|generated-clients|ytdlp-commands|start|sent-\w+)\.test/;

/** At the end there is something short left for every worker. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      project.name === "accuracy" ? 0 : longFiles.test(moduleId) ? 1 : 2;
    // Those of a workspace together, because a worker has read their modules.
    return (await super.sort(files)).toSorted(
      (one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
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
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Two, not one a workspace: each project transforms and reads anew what it shares with others.
    projects: [
      { extends: true, test: { name: "accuracy", include: [accuracy] } },
      {
        extends: true,
        test: { name: "all", include: ["*/test/**/*.test.ts"], exclude: [accuracy, "**/node_modules/**"] },
      },
    ],
  },
});
