import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../client/src/cli/run-command-line.ts";
import { serviceCommandNames } from "../../client/src/cli/service-program.ts";
import { adminHelp } from "../src/admin/admin-arguments.ts";
import { runAdmin } from "../src/admin/run-admin.ts";
import { namedCommands } from "./markdown-commands.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const ignored = new Set([...readFileSync(path.join(root, ".gitignore"), "utf8").split("\n"), ".git"]);
const pages = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".md") && !file.split(path.sep).some((name) => ignored.has(name)),
);
const commands = pages.flatMap((page) =>
  namedCommands(readFileSync(path.join(root, page), "utf8")).map((words) => ({ page, words })),
);
const scripts: Record<string, string> = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).scripts;

/** A service that cannot be reached: `fetch` refuses the port. */
const environment = { REELSCRIPT_URL: "http://127.0.0.1:9", REELSCRIPT_API_KEY: "svc_sk_none" };

/** Whether there is no such command, or it takes no such option. A page may leave out what has to be filled in. */
async function isUnknown(words: readonly string[]): Promise<boolean> {
  let said = "";
  const streams = { stdout: { write: () => undefined }, stderr: { write: (text: string) => (said += text) } };
  const [name = ""] = words;
  if (serviceCommandNames.includes(name) && words.length === 1) return false;
  if (serviceCommandNames.includes(name)) {
    const noData = (): never => {
      throw new Error("there are no data");
    };
    await runAdmin(words, noData, { ...streams, stdin: Readable.from([]) });
  } else await runCommandLine(words, { environment, ...streams, signal: new AbortController().signal });
  return /unknown (command|option)|unexpected argument/i.test(said);
}

describe("every command that a page names", () => {
  const named = (program: string) =>
    commands
      .filter(({ words }) => words[0] === program)
      .map(({ page, words }) => [`${words.join(" ")} (${page})`, words.slice(1)] as const);

  test("is tried", async () => {
    for (const wrong of ["page vanish @ana", "nonsense", "key list --account acc_1 extra", "usage --nonsense"])
      expect(await isUnknown(wrong.split(" ")), wrong).toBe(true);
  });

  test("is found", () => {
    expect(named("reelscript").length).toBeGreaterThan(30);
    expect(named("npm").length).toBeGreaterThan(30);
    expect(
      namedCommands(
        'a `npx reelscript page take-down @ana --reason "a b" | cat` b\n```\nX=1 npm run x -- \\\n  --only y # z\n```\n',
      ),
    ).toEqual([
      ["reelscript", "page", "take-down", "@ana", "--reason", "a b"],
      ["npm", "run", "x", "--", "--only", "y"],
    ]);
  });

  test.each(named("reelscript"))("%s", async (_name, words) => expect(await isUnknown(words)).toBe(false));

  test.each(named("npm"))("%s", (_name, [command = "", script = ""]) => {
    if (command === "run") expect(Object.keys(scripts)).toContain(script);
    else expect(["ci", "install", "start", "test", "audit", "exec", "view", "pack"]).toContain(command);
  });
});

test("the help of the client names every command of the service, and hands it over", async () => {
  let help = "";
  const streams = { stdout: { write: (text: string) => (help += text) }, stderr: { write: () => undefined } };
  await runCommandLine(["--help"], { environment, ...streams, signal: new AbortController().signal });
  const names = Array.from(adminHelp(undefined).matchAll(/^ {2}([a-z]+) ([a-z-]+) {2}/gm), ([, noun, verb]) => ({
    noun,
    verb,
  }));
  expect(names.length).toBeGreaterThan(15);
  for (const { noun, verb } of names) expect(help).toMatch(new RegExp(`^ +${noun} ${verb}  `, "m"));
  for (const { noun } of names) expect(serviceCommandNames).toContain(noun);
});
