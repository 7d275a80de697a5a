import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../src/cli/command.ts";
import { buildClient, clientFolder } from "./build-client.ts";
import { runHere } from "./run-program.ts";

async function wordsAfter(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runHere({}, ["completion", "words", "--", ...words]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .map((line) => line.split("\t")[0]!)
    .filter((word) => word !== "");
}

describe("the words of completion", () => {
  test("are every command, every option and every value of an operation", async () => {
    expect(await wordsAfter("")).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
    expect(await wordsAfter("help", "")).toEqual(await wordsAfter(""));
    for (const { name, fields } of commands) {
      const options = fields.filter(({ required }) => !required);
      const flags = options.map(({ flag }) => `--${flag}`);
      expect(await wordsAfter(name, "--")).toEqual(expect.arrayContaining([...flags, "--json", "--help"]));
      for (const { flag, choices = [] } of options) expect(await wordsAfter(name, `--${flag}`, "")).toEqual(choices);
    }
  });

  test.each<[string[], string[]]>([
    [["retranscrib"], ["retranscribe"]],
    [["--js"], ["--json"]],
    [["--key", "scripts", "retranscrib"], ["retranscribe"]],
    [["scripts", "--sort", "vi"], ["views"]],
    [["scripts", "--sort=vi"], ["--sort=views"]],
    [["scripts", "--sort", "=", "vi"], ["views"]],
    [
      ["scripts", "--sort", "="],
      ["views", "engagement", "date", "likes", "posted"],
    ],
    [["scripts", "--sort", "views", "--sor"], []],
    [["scripts", "--key", ""], []],
    [["transcribe", "--asy"], ["--async"]],
    [["usage", "--asy"], []],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["completion", "--json", "f"], ["fish"]],
    [["completion", "zsh", ""], []],
    [["batch", ""], []],
    [["frobnicate", ""], []],
    [["key", "create", ""], []],
  ])("after %j are %j", async (words, expected) => {
    expect(await wordsAfter(...words)).toEqual(expected);
  });
});

const isHere = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const unlessHere = (shell: string): string => {
  if (!isHere(shell)) process.stderr.write(`Completion in ${shell} is not tested: it isn't installed.\n`);
  return isHere(shell) ? "" : ` (skipped: no ${shell})`;
};

/** Each pair is the text that is typed and the whole line that Tab must make of it. */
const lines: readonly (readonly [string, string])[] = [
  ["reelscript retranscrib", "reelscript retranscribe"],
  ["reelscript scripts --sor", "reelscript scripts --sort"],
  ["reelscript scripts --sort vi", "reelscript scripts --sort views"],
  ["reelscript completion f", "reelscript completion fish"],
  ["reelscript batch li", "reelscript batch list.txt"],
];

describe("the shells themselves", () => {
  let folder: string;
  beforeAll(() => {
    buildClient();
    folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
    symlinkSync(path.join(clientFolder, "bin/reelscript.js"), path.join(folder, "reelscript"));
    writeFileSync(path.join(folder, "list.txt"), "");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function runShell(shell: string, args: readonly string[], code: string): string {
    const { stdout, stderr, status } = spawnSync(shell, [...args, "-c", code], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: `${folder}:${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, TERM: "dumb" },
      timeout: 400_000,
    });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout;
  }

  test.skipIf(!isHere("bash"))(`bash completes${unlessHere("bash")}`, () => {
    const queries = lines.slice(0, 4).map(([typed]) => {
      const words = typed.split(" ");
      return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _reelscript reelscript; echo "\${COMPREPLY[@]}"`;
    });
    const code = `eval "$(reelscript completion bash)"; complete -p reelscript; ${queries.join("; ")}`;
    const [registered, ...words] = runShell("bash", ["--norc"], code).trim().split("\n");
    expect(registered).toBe("complete -o default -F _reelscript reelscript");
    expect(words).toEqual(lines.slice(0, 4).map(([, whole]) => whole.split(" ").at(-1)));
  });

  test.skipIf(!isHere("zsh"))(`zsh completes at its prompt${unlessHere("zsh")}`, () => {
    // After Tab, the line is made an argument of `print`.
    const typed = lines.map(
      ([
        line,
      ]) => `zpty -w -n shell $'${line}\\t\\x01print -r -- WHOLE: \\x05\\n'; zpty -r shell answer $'*\\nWHOLE: *\\n*'
        print -r -- "\${\${answer##*$'\\n'WHOLE: }%%[[:space:]]#$'\\n'*}"`,
    );
    const code = `setopt extendedglob; zmodload zsh/zpty; zpty shell zsh -f -i
      zpty -w shell "PS1= PS2=; bindkey -e; autoload -Uz compinit; compinit -u -d ${folder}/dump"
      zpty -w shell 'eval "$(reelscript completion zsh)"; print READ""Y'
      zpty -r shell answer '*READY*'
      ${typed.join("\n")}`;
    expect(runShell("zsh", ["-f"], code).trim().split("\n")).toEqual(lines.map(([, whole]) => whole));
  });

  test.skipIf(!isHere("fish"))(`fish completes${unlessHere("fish")}`, () => {
    const queries = lines.map(([typed]) => `complete -C '${typed}'`);
    const output = runShell("fish", ["--no-config"], `reelscript completion fish | source; ${queries.join("; ")}`);
    const words = output.trim().split("\n");
    expect(words.map((line) => line.split("\t")[0])).toEqual(lines.map(([, whole]) => whole.split(" ").at(-1)));
    expect(words[0], "each word has its summary").toMatch(/^retranscribe\t\w+/);
  });
});
