import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { operations, restBasePath, type Operation } from "@reelscript/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainEnvironment, root, startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

interface Step {
  readonly commands: string;
  /** The page's promise about the answer to the last request, or, without a status, about the output. */
  readonly promised: { readonly status: number | undefined; readonly words: readonly string[] } | undefined;
}

const page = await readFile(path.join(root, "docs/tour.md"), "utf8");
const steps = stepsOf(page);

function stepsOf(markdown: string): Step[] {
  const block = /^```sh\n(.*?)^```\n(?:\n(?:Answers (\d{3}), with|Prints) ([^\n]+)\.$)?/gms;
  return Array.from(markdown.matchAll(block), ([, commands = "", status, words]) => ({
    commands,
    promised:
      words === undefined
        ? undefined
        : { status: status === undefined ? undefined : Number(status), words: inCode(words) },
  }));
}

/** The settings in the line that starts the service. */
function settingsOf(markdown: string): Record<string, string> {
  const [, settings = ""] = /^`((?:[A-Z_]+=\d+ )+)npm start`$/m.exec(markdown) ?? [];
  return Object.fromEntries(
    Array.from(settings.matchAll(/([A-Z_]+)=(\d+)/g), ([, name = "", value = ""]) => [name, value]),
  );
}

function inCode(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, word = ""]) => word);
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe("the tour", () => {
  test("says of every request what it answers", () => {
    expect(steps.filter(({ promised }) => promised).length, "no promise without a block above it").toBe(
      page.split("\n").filter((line) => /^(Answers|Prints) /.test(line)).length,
    );
    for (const { commands, promised } of steps.slice(1)) {
      expect(promised, commands).toBeDefined();
      expect(promised!.words.length, commands).toBeGreaterThan(0);
    }
  });

  const requests = steps.map(({ commands }) => commands);
  test.each(Object.entries(operations) as [string, Operation][])("calls the operation %s", (_name, { http }) => {
    const pathPattern = http.path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, '[^\\s?"/]+');
    const address = new RegExp(`"\\$URL${restBasePath}${pathPattern}["?]`);
    expect(requests.filter((one) => address.test(one) && methodOf(one) === http.method)).not.toEqual([]);
  });

  const tools = (Object.values(operations) as Operation[]).flatMap((operation) => operation.tools ?? []);
  test.each(tools.map(({ name }) => name))("calls the tool %s", (name) => {
    expect(requests.filter((one) => one.includes(`tool ${name} `))).not.toEqual([]);
  });

  function methodOf(commands: string): string {
    const [, method] = / -X (\w+)/.exec(commands) ?? [];
    return method ?? (/ -d /.test(commands) ? "POST" : "GET");
  }
});

describe.skipIf(!hasCurl)(`the tour, walked${hasCurl ? "" : " (skipped: the program curl is not installed)"}`, () => {
  const directory = directoryOfTests();
  let program: Program | undefined;
  let url: string;
  beforeAll(async () => {
    // All limits are the usual ones, except for those that the page says to raise.
    program = await startProgram({ DATA_DIR: path.join(directory, "data"), ...settingsOf(page) });
    ({ url } = program);
    await walk();
  });
  afterAll(() => program?.end("SIGKILL"));

  const printed = (pattern: RegExp): string =>
    pattern.exec(program!.printed())?.[1] ?? expect.fail(`${pattern} is not in:\n${program!.printed()}`);

  /** Runs all blocks in one shell, as a person would, and keeps what each one printed. */
  async function walk(): Promise<void> {
    // curl tells the status of each answer beside it, without a change of what the page says.
    await writeFile(path.join(directory, ".curlrc"), 'write-out = "%{stderr}\\nstatus %{http_code}\\n"\n');
    const file = (index: number, kind: string): string => `'${path.join(directory, `${index}.${kind}`)}'`;
    const script = steps
      .map(({ commands }, index) => `{\n${commands}} >${file(index, "out")} 2>${file(index, "err")}\n`)
      .join("");
    await promisify(execFile)("sh", ["-c", script], {
      cwd: root,
      env: {
        ...plainEnvironment(),
        CURL_HOME: directory,
        DATA_DIR: path.join(directory, "data"),
        URL: url,
        KEY: program!.key,
        REEL: printed(/"url":"([^"]+)"/),
      },
      timeout: 500_000,
    });
  }

  test.each(steps.map((step, index) => ({ ...step, index, named: step.commands.trim().split("\n").at(-1) })))(
    "$named",
    async ({ index, promised }) => {
      const out = await readFile(path.join(directory, `${index}.out`), "utf8");
      const said = await readFile(path.join(directory, `${index}.err`), "utf8");
      const statuses = Array.from(said.matchAll(/^status (\d+)$/gm), ([, status]) => Number(status));
      if (promised?.status !== undefined) expect(statuses.at(-1), out + said).toBe(promised.status);
      for (const word of promised?.words ?? []) expect(out, said).toContain(word);
    },
  );
});
