import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification, type Vite } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Judges how well speech is recognized, over minutes of it: `npm run accuracy`. */
const accuracy = "{whisper,server}/test/accuracy/**/*.test.ts";
/** Installs generators of clients for minutes, and has them read the OpenAPI document: `npm run generators`. */
const generators = "server/test/openapi/generated-clients.test.ts";
// Without "module": some libraries name files there that only bundlers can read.
const conditions = ["node", "development|production"];

const root = fileURLToPath(new URL(".", import.meta.url));

const source = /^(contract|client|whisper|platform-standin|server)\/src\/(.+)\.ts$/;

/** Tests import sources, and run what was built from them, as users do: the runner's own form of a module is a fifth slower. */
const runsWhatIsBuilt: Vite.Plugin = {
  name: "runs-what-is-built",
  enforce: "pre",
  async resolveId(specifier, importer, options) {
    const resolved = await this.resolve(specifier, importer, { ...options, skipSelf: true });
    if (resolved === null || !resolved.id.startsWith(root)) return resolved;
    const file = resolved.id.slice(root.length).replace(source, "$1/dist/$2.js");
    return /^[\w-]+\/dist\//.test(file) ? { ...resolved, id: root + file, external: true } : resolved;
  },
};

const secondsFile = `${root}.ci/test-seconds.tsv`;

/**
 * Seconds that each file of tests took in the run that wrote the table, on two cores with five workers. The table's second column
 * is processor seconds, with which changes of tests are judged: the first depends on what else the machine did.
 */
const secondsOf = new Map(
  readFileSync(secondsFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): [string, number] => {
      const [seconds = "", , file = ""] = line.split("\t");
      return [file, Number(seconds)];
    }),
);
const longFileSeconds = 15;

/** Long files begin first, the longest before all, so that something short is left for every worker at the end. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name !== "all") return Number.POSITIVE_INFINITY;
      const seconds = secondsOf.get(moduleId.slice(root.length)) ?? 0;
      return seconds < longFileSeconds ? 0 : seconds;
    };
    // Those of a workspace together, because a worker has read their modules.
    return (await super.sort(files)).toSorted(
      (one, other) => rank(other) - rank(one) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

/** Writes the table of seconds anew, after a run of all tests that was told to. */
class SecondsOfFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .filter(({ project }) => project.name === "all")
      .map((module) => ({
        file: module.relativeModuleId,
        seconds: module.diagnostic().duration / 1_000,
        processorSeconds: Number((module.meta() as { processorSeconds?: number }).processorSeconds ?? 0),
      }))
      .toSorted((one, other) => other.seconds - one.seconds || (one.file < other.file ? -1 : 1));
    const lines = rows.map(
      ({ file, seconds, processorSeconds }) => `${seconds.toFixed(1)}\t${processorSeconds.toFixed(1)}\t${file}\n`,
    );
    writeFileSync(TEST_SECONDS === "1" ? secondsFile : TEST_SECONDS!, lines.join(""));
  }
}

const filesOfAccuracy = (): number =>
  ["whisper/test/accuracy", "server/test/accuracy"]
    .flatMap((folder) => readdirSync(root + folder))
    .filter((name) => name.endsWith(".test.ts")).length;

/** Notes with which sources the tests of a project passed, all of them. */
class Stamp implements Reporter {
  readonly #name: string;
  readonly #files: number;
  readonly #maySkip: boolean;
  #isWhole = false;

  constructor({ name, files, maySkip }: { name: string; files: number; maySkip: boolean }) {
    this.#name = name;
    this.#files = files;
    this.#maySkip = maySkip;
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#isWhole = files.length === this.#files && files.every(({ project }) => project.name === this.#name);
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: string): void {
    const skipsSome = modules.some((module) => [...module.children.allTests("skipped")].length > 0);
    if (this.#isWhole && reason === "passed" && (this.#maySkip || !skipsSome))
      execFileSync(process.execPath, ["scripts/stamp.mjs", this.#name, "--write"], { cwd: root });
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

const { TEST_RESULTS, TEST_SECONDS } = process.env;

export default defineConfig({
  plugins: [runsWhatIsBuilt],
  resolve: {
    conditions,
    alias: { "n8n-workflow": fileURLToPath(new URL("server/test/harness/n8n-workflow.ts", import.meta.url)) },
  },
  ssr: { resolve: { conditions } },
  test: {
    // More than cores: many tests wait for a disk, a browser or a child process.
    maxWorkers: 5,
    // Files share their worker and the modules it has read: reading them again for every file would cost minutes.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // On a busy machine things happen late; a poll that succeeds waits no longer than they take, and one that
    // fails ends before the limit of its test, or nobody hears what it saw.
    expect: { poll: { interval: 20, timeout: 400_000 } },
    teardownTimeout: 60_000,
    // Child processes run what is built, because Node itself reads no TypeScript.
    globalSetup: ["scripts/build-before-tests.mjs"],
    setupFiles: ["scripts/seed-tests.mjs", ...(TEST_SECONDS ? ["scripts/processor-seconds.mjs"] : [])],
    reporters: [
      "default",
      new SkippedAloud(),
      new Stamp({ name: "accuracy", files: filesOfAccuracy(), maySkip: true }),
      new Stamp({ name: "generators", files: 1, maySkip: false }),
      ...(TEST_SECONDS ? [new SecondsOfFiles()] : []),
      ...(TEST_RESULTS ? [["json", { outputFile: TEST_RESULTS }] as ["json", object]] : []),
    ],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // One project for all the usual tests: separate projects would each transform the files that they share.
    projects: [
      { extends: true, test: { name: "accuracy", include: [accuracy] } },
      { extends: true, test: { name: "generators", include: [generators] } },
      {
        extends: true,
        test: { name: "all", include: ["*/test/**/*.test.ts"], exclude: [accuracy, generators, "**/node_modules/**"] },
      },
    ],
  },
});
