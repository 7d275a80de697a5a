import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Those with long files first, so that at the end there is something short left for every worker. */
const workspaces = ["whisper", "web", "extension", "server", "client", "platform-standin", "contract"];
// Without "module": some libraries name files there that only bundlers can read.
const conditions = ["@reelscript/source", "node", "development|production"];

/** They listen to speech, start programs or open every page. */
const longFiles =
  /\/(recognition|program|browser)\/|\/service\/(languages|failures|transcribe|docs)\.|\/(backups|embedded|fuzz|model-commands|backup)\.test/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification): number => Number(!longFiles.test(moduleId));
    const place = ({ project }: TestSpecification): number => workspaces.indexOf(project.name);
    const sorted = await super.sort(files);
    // Files of one project stay together, because a worker is used again only for the same project.
    return sorted.toSorted((one, other) => place(one) - place(other) || isShort(one) - isShort(other));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // More than cores: many tests wait for a disk, a browser or a child process.
    maxWorkers: 4,
    // Files share their worker and the modules it has read: reading them again for every file would cost minutes.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // On a busy machine things happen late; a poll that succeeds waits no longer than they take.
    expect: { poll: { interval: 20, timeout: 20_000 } },
    // Child processes run what is built, because Node itself reads no TypeScript.
    globalSetup: ["scripts/build-before-tests.mjs"],
    projects: workspaces.map((name) => ({
      extends: true as const,
      test: { name, include: [`${name}/test/**/*.test.ts`], testTimeout: 120_000, hookTimeout: 240_000 },
    })),
  },
});
