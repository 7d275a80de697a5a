import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { installYtDlp, pinnedYtDlp } from "../../src/adapters/ytdlp/install-ytdlp.ts";
import { adminProgram, operate } from "./run-program.ts";
import { directoryOfTest, directoryOfTests } from "../harness/temporary-directory.ts";

/** Tells the fake Python what to do at each step; a step that is left out fails. */
interface Script {
  readonly venv?: Step;
  readonly pip?: Step;
  /** The version that the yt-dlp installed by pip prints. */
  readonly version?: string;
  readonly targets?: readonly string[];
}
interface Step {
  readonly print?: string;
  readonly complain?: string;
  readonly exit?: number;
  readonly hang?: boolean;
  readonly flood?: boolean;
}

const python = `#!${process.execPath}
const fs = require("node:fs");
const path = require("node:path");
const args = process.argv.slice(2);
const script = JSON.parse(fs.readFileSync(process.env.PIP_FAKE + "/script.json", "utf8"));
fs.appendFileSync(process.env.PIP_FAKE + "/calls", JSON.stringify({ args, env: Object.keys(process.env) }) + "\\n");
const made = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text, { mode: 0o755 }); };
function step(told, act) {
  if (told === undefined) process.exit(99);
  process.stdout.write(told.print ?? "");
  process.stderr.write(told.complain ?? "");
  if (told.flood) return setInterval(() => process.stdout.write("x".repeat(1e6)), 1);
  if (told.hang) return setInterval(() => undefined, 1000);
  if ((told.exit ?? 0) === 0) act();
  process.exitCode = told.exit ?? 0;
}
if (args[0] === "-m" && args[1] === "venv")
  step(script.venv, () => made(args[2] + "/bin/python", fs.readFileSync(process.argv[1], "utf8")));
else if (args[0] === "-m" && args[1] === "pip")
  step(script.pip, () => made(path.dirname(process.argv[1]) + "/yt-dlp", [
    "#!/bin/sh",
    "[ \\"$2\\" = --version ] && echo '" + script.version + "' && exit",
    "echo '" + ["[info] Available", "Client", "-".repeat(38), ...(script.targets ?? [])].join("\\n") + "'",
  ].join("\\n")));
else process.exit(98);
`;
const chrome = "Chrome-146  Macos-26  curl_cffi";

let testDirectory: string;
let data: string;
beforeEach(() => beginIn(directoryOfTest(tmpdir())));

async function beginIn(folder: string): Promise<void> {
  testDirectory = folder;
  data = path.join(testDirectory, "data");
  await mkdir(path.join(testDirectory, "bin"), { recursive: true });
  await writeFile(path.join(testDirectory, "bin/python3"), python);
  await chmod(path.join(testDirectory, "bin/python3"), 0o755);
}

const environmentOf = (more: Record<string, string> = {}) => ({
  DATA_DIR: data,
  PATH: path.join(testDirectory, "bin"),
  PIP_FAKE: testDirectory,
  ...more,
});
const tell = (script: Script) => writeFile(path.join(testDirectory, "script.json"), JSON.stringify(script));
const ytdlp = (args: readonly string[], more?: Record<string, string>) =>
  operate(["ytdlp", ...args], { directory: testDirectory, environment: environmentOf(more) });

async function installed(version: string): Promise<string> {
  await tell({ venv: {}, pip: {}, version, targets: [chrome] });
  expect(await ytdlp(["update", version])).toMatchObject({ code: 0 });
  return readlink(path.join(data, "ytdlp/current"));
}

describe("ytdlp install", () => {
  test("installs the pinned release with only pip's and network settings", async () => {
    await tell({ venv: {}, pip: {}, version: pinnedYtDlp, targets: [chrome, "Edge  -  curl_cffi (unavailable)"] });
    const { code, stdout } = await ytdlp(["install"], {
      DATABASE_PASSWORD: "secret",
      https_proxy: "http://127.0.0.1:9",
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Version {2}2026\.10\.26, \d+ days? old$/m);
    expect(stdout).toContain("Targets  1 browsers to impersonate");
    const program = path.join(data, "ytdlp/current/bin/yt-dlp");
    const status = await ytdlp(["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ path: program, version: pinnedYtDlp, impersonationTargets: 1 });

    const calls = await readFile(path.join(testDirectory, "calls"), "utf8");
    const [created, downloaded] = calls
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { args: string[]; env: string[] });
    expect(created!.args.slice(0, 2)).toEqual(["-m", "venv"]);
    expect(downloaded!.args.slice(-2)).toEqual(["yt-dlp-ejs==0.8.0", `yt-dlp[curl-cffi]==${pinnedYtDlp}`]);
    expect(downloaded!.args).toContain("--only-binary");
    expect(downloaded!.env).toContain("https_proxy");
    expect(downloaded!.env).not.toContain("DATABASE_PASSWORD");
    expect(downloaded!.env).not.toContain("DATA_DIR");
  });

  test("says what is missing where there is no Python", async () => {
    const { code, stderr } = await ytdlp(["install"], { PATH: "" });
    expect(code).toBe(1);
    expect(stderr).toContain("error: There is no python3 on PATH. Install Python 3.11 or later");
  });
});

describe("ytdlp update", () => {
  const unreachable = "WARNING: Retrying after NewConnectionError\nERROR: No matching distribution found for yt-dlp";
  const old = "ERROR: Ignored the following versions that require a different python version: 2026.10.26";
  const full = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device";
  // All of them leave the same one as it was.
  const placeOfFailures = directoryOfTests(tmpdir());
  let firstFolder: string | undefined;
  test.each<[string, Script, string]>([
    [
      "venv is missing",
      { venv: { print: "because ensurepip is not\navailable", exit: 1 } },
      "apt install python3-venv",
    ],
    [
      "the network is away",
      { venv: {}, pip: { complain: unreachable, exit: 1 } },
      "The package index can't be reached",
    ],
    ["Python is too old", { venv: {}, pip: { complain: old, exit: 1 } }, "This Python is too old"],
    ["the disk is full", { venv: {}, pip: { complain: full, exit: 1 } }, "is full"],
    [
      "pip fails otherwise",
      { venv: {}, pip: { complain: "ERROR: no hashes\n", exit: 2 } },
      "downloaded: ERROR: no hashes",
    ],
    [
      "it is another release",
      { venv: {}, pip: {}, version: "2026.10.20", targets: [chrome] },
      "says that it is 2026.10.20",
    ],
    ["it says no release", { venv: {}, pip: {}, version: "hello", targets: [chrome] }, 'says no version, but "hello"'],
    ["curl_cffi is missing", { venv: {}, pip: {}, version: pinnedYtDlp }, "can't impersonate a browser"],
    ["pip floods", { venv: {}, pip: { flood: true } }, "it printed more than"],
  ])("keeps the old one when %s", async (_what, script, said) => {
    await beginIn(placeOfFailures);
    firstFolder ??= await installed("2026.08.19");
    await tell(script);
    const { code, stderr } = await ytdlp(["update", pinnedYtDlp]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(said) });
    expect(await readdir(path.join(data, "ytdlp"))).toEqual([firstFolder, "current"].toSorted());
    expect(await readlink(path.join(data, "ytdlp/current"))).toBe(firstFolder);
  });

  test("the old one still works after all of these failures", async () => {
    await beginIn(placeOfFailures);
    firstFolder ??= await installed("2026.08.19");
    expect((await ytdlp(["status"])).stdout).toMatch(/^Version {2}2026\.08\.19, \d+ days old$/m);
  });

  test("takes the newest or the named release, and refuses unknown ones", async () => {
    await installed("2026.08.19");
    await tell({ venv: {}, pip: {}, version: "2026.11.01", targets: [chrome] });
    expect((await ytdlp(["update"])).stdout).toMatch(/^Version {2}2026\.11\.01, /m);
    for (const wrong of ["--index-url=x", "latest", "2026.10"])
      expect(await ytdlp(["update", wrong])).toMatchObject({ code: 2 });
  });

  test.each(["venv", "pip"] as const)("is ended when %s hangs", async (step) => {
    await tell({ venv: {}, pip: {}, [step]: { hang: true } });
    const installation = installYtDlp(pinnedYtDlp, {
      dataDirectory: data,
      searchPath: path.join(testDirectory, "bin"),
      installerEnvironment: { PIP_FAKE: testDirectory },
      now: new Date(),
      say: () => undefined,
      seconds: { create: 2, download: 2 },
    });
    await expect(installation).rejects.toThrow("it took longer than 2 s");
    expect(await readdir(path.join(data, "ytdlp"))).toEqual([]);
  });

  test("leaves nothing behind when it is killed", async () => {
    const before = await installed("2026.08.19");
    await tell({ venv: {}, pip: { hang: true } });
    const child = spawn(process.execPath, [adminProgram, "ytdlp", "update"], {
      cwd: testDirectory,
      env: environmentOf(),
      stdio: "ignore",
    });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    const calls = () => readFile(path.join(testDirectory, "calls"), "utf8");
    await expect.poll(async () => (await calls()).match(/"pip"/g)).toHaveLength(2);
    child.kill("SIGKILL");
    await exited;
    await expect.poll(() => readdir(path.join(data, "ytdlp"))).toEqual([before, "current"].toSorted());
  });
});

describe("ytdlp status", () => {
  test("says if none is installed, one is old or can't impersonate", async () => {
    expect(await ytdlp(["status"])).toMatchObject({ code: 1, stderr: expect.stringContaining("ytdlp install") });
    await installed("2024.01.02");
    expect((await ytdlp(["status"])).stdout).toContain('It is old: "reelscript ytdlp update"');
  });
});

// oxlint-disable-next-line node/no-process-env -- whether the network may be used is decided outside
const { TEST_PYPI, PATH = "", ...outside } = process.env;

describe("the real package", () => {
  test("is installed, says its version, and impersonates browsers", { timeout: 600_000 }, async ({ skip }) => {
    if (TEST_PYPI !== "1") skip("TEST_PYPI=1 lets this test install yt-dlp from the package index");
    const ofPip = Object.entries(outside).filter(([name]) =>
      /^(?:PIP_|SSL_CERT_|https?_proxy|no_proxy|HOME$)/i.test(name),
    );
    const environment = { ...(Object.fromEntries(ofPip) as Record<string, string>), DATA_DIR: data, PATH };
    const result = await operate(["ytdlp", "install", "--json"], { directory: testDirectory, environment });
    if (/can't be reached|no python3|python3-venv|too old/.test(result.stderr)) skip(`not tested: ${result.stderr}`);
    expect(result).toMatchObject({ code: 0 });
    const { version, impersonationTargets } = JSON.parse(result.stdout) as Record<string, unknown>;
    expect(version).toBe(pinnedYtDlp);
    expect(impersonationTargets).toBeGreaterThan(10);
  });
});
