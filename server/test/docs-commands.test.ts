import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../client/src/cli/run-command-line.ts";
import { serviceCommandNames } from "../../client/src/cli/service-program.ts";
import { adminHelp } from "../src/admin/admin-arguments.ts";
import { runAdmin } from "../src/admin/run-admin.ts";
import { namedCommands } from "./markdown-commands.ts";
import { filesAt, pagesAt } from "./markdown-paths.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = pagesAt(root);
const commands = pages.flatMap((page) =>
  namedCommands(readFileSync(path.join(root, page), "utf8")).map((words) => ({ page, words })),
);
const scriptsIn = (folder: string): string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")).scripts);
/** The package in `integrations/` has scripts of its own. */
const scripts = [...scriptsIn(""), ...scriptsIn("integrations/n8n")];

/** A service that knows nobody: one that is away would be waited for. */
const service = createServer((_request, response) => response.writeHead(401).end());
const environment = { REELSCRIPT_URL: "", REELSCRIPT_API_KEY: "svc_sk_none" };
beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening");
  environment.REELSCRIPT_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

/** True if there is no such command, or it takes no such option. A page may leave out values that a reader fills in. */
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
  const commandsOf = (program: string) =>
    commands
      .filter(({ words }) => words[0] === program)
      .map(({ page, words }) => [`${words.join(" ")} (${page})`, words.slice(1)] as const);

  test("is tried", async () => {
    for (const wrong of ["page vanish @ana", "nonsense", "key list --account acc_1 extra", "usage --nonsense"])
      expect(await isUnknown(wrong.split(" ")), wrong).toBe(true);
  });

  test("is found", () => {
    expect(commandsOf("reelscript").length).toBeGreaterThan(30);
    expect(commandsOf("npm").length).toBeGreaterThan(30);
    expect(
      namedCommands(
        'a `npx --no-install reelscript page take-down @ana --reason "a b" | cat` b\n```\nX=1 npm run x -- \\\n  --only y # z\n```\n',
      ),
    ).toEqual([
      ["reelscript", "page", "take-down", "@ana", "--reason", "a b"],
      ["npm", "run", "x", "--", "--only", "y"],
    ]);
  });

  test.each(commandsOf("reelscript"))("%s", async (_name, words) => expect(await isUnknown(words)).toBe(false));

  test.each(commandsOf("npm"))("%s", (_name, [command = "", script = ""]) => {
    if (command === "run") expect(scripts).toContain(script);
    else expect(["ci", "install", "start", "test", "audit", "exec", "view", "pack"]).toContain(command);
  });
});

test("nothing runs or installs our names from the public registry", () => {
  const fetched =
    /\bnpx (?!--no-install )(?:-\S+ )*@?reelscript\b|\bnpm (?:install|i|add|exec) (?:-\S+ )*@?reelscript\b/;
  for (const wrong of ["npx reelscript usage", "npx -y @reelscript/client", "npm i -g reelscript"])
    expect(wrong).toMatch(fetched);
  const texts = filesAt(root).filter(
    (file) => /\.(?:md|tsx?|mjs|html|example|ya?ml|service|json)$/.test(file) && !/\btest\b/.test(file),
  );
  expect(texts.length).toBeGreaterThan(500);
  for (const file of texts) expect(readFileSync(path.join(root, file), "utf8"), file).not.toMatch(fetched);
});

test("the client's help names every command of the service and delegates it", async () => {
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
