import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { findYtDlp } from "../../src/adapters/ytdlp/install-ytdlp.ts";
import { createYtDlpSource, type YtDlpSettings } from "../../src/adapters/ytdlp/ytdlp-source.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const never = new AbortController().signal;
const reel = reelAddress(instagram, "DLlGZiCOBQ0")!;

/** Tells the program what to do. Without a script it fails. */
interface Script {
  readonly json?: unknown;
  readonly print?: string;
  readonly media?: string;
  /** Left beside the media, as a download that broke off is. */
  readonly partBytes?: number;
  readonly complain?: string;
  readonly exit?: number;
  readonly hang?: boolean;
  /** In folders below the one where it works; many small files. */
  readonly deepFiles?: { readonly count: number; readonly bytes: number };
  /** Leaves a process behind that holds the output, in a session of its own or in the program's group. */
  readonly leaves?: "detached" | "group";
  /** In place of the media: a symbolic link or a hard link to a file, a named pipe, a folder. */
  readonly linksTo?: string;
  readonly isLinkOf?: string;
  readonly pipes?: string;
  readonly folders?: string;
}

/** Writes down how it was called, then does what its script says, or fails when there is none. */
const program = `#!/usr/bin/env node
const fs = require("node:fs");
const home = __dirname;
const args = process.argv.slice(2);
const cookies = args.includes("--cookies") ? args[args.indexOf("--cookies") + 1] : undefined;
fs.writeFileSync(home + "/called.json", JSON.stringify({
  pid: process.pid, args, cwd: process.cwd(), env: process.env, cookies: cookies && fs.readFileSync(cookies, "utf8"),
}));
if (cookies) fs.appendFileSync(cookies, "changed by the program");
const script = JSON.parse(fs.readFileSync(home + "/script.json", "utf8"));
const output = args.includes("--output") ? args[args.indexOf("--output") + 1].replaceAll("%%", "%") : undefined;
if (script.json !== undefined) process.stdout.write(JSON.stringify(script.json) + "\\n");
if (script.print !== undefined) process.stdout.write(script.print);
if (script.complain !== undefined) process.stderr.write(script.complain + "\\n");
if (output && script.media !== undefined) fs.writeFileSync(output, script.media);
if (output && script.partBytes !== undefined) fs.writeFileSync(output + ".part", Buffer.alloc(script.partBytes));
if (output && script.linksTo) fs.symlinkSync(script.linksTo, output);
if (output && script.isLinkOf) fs.linkSync(script.isLinkOf, output);
if (output && script.pipes) require("node:child_process").execFileSync("mkfifo", [output]);
if (output && script.folders) fs.mkdirSync(output);
if (script.deepFiles) {
  fs.mkdirSync("a/b/c", { recursive: true });
  for (let count = 0; count < script.deepFiles.count; count += 1)
    fs.writeFileSync("a/b/c/" + count, Buffer.alloc(script.deepFiles.bytes));
}
if (script.leaves) {
  const { spawn } = require("node:child_process");
  const detached = script.leaves === "detached";
  const left = spawn(process.execPath, ["-e", "setTimeout(() => undefined, 60000)"], { detached, stdio: "inherit" });
  fs.writeFileSync(home + "/left.json", String(left.pid));
  left.unref();
}
if (script.hang) setInterval(() => undefined, 1000);
else process.exitCode = script.exit ?? (script.complain ? 1 : 101);
`;

const information = {
  id: "DLlGZiCOBQ0",
  title: "Video by someone",
  description: "A caption",
  channel: "someone",
  uploader: "Some One",
  timestamp: 1_750_000_000,
  duration: 12.345,
  view_count: null,
  like_count: 1_234,
  comment_count: 5,
  acodec: "mp4a.40.2",
  vcodec: "none",
  width: null,
  height: null,
  formats: [
    { width: 360, height: 640 },
    { width: 1080, height: 1920 },
    { width: null, height: null },
  ],
  thumbnails: [
    { url: "https://scontent.cdninstagram.com/s.jpg", width: 100, height: 100 },
    { url: "https://scontent.cdninstagram.com/l.jpg", width: 640, height: 1136 },
  ],
};

const folder = directoryOfTests(tmpdir());
let filePath: string;
let file: string;
const searchPath = [path.dirname(process.execPath), "/usr/bin", "/bin"].join(path.delimiter);

beforeAll(async () => {
  filePath = path.join(folder, "yt-dlp");
  file = path.join(folder, "media");
  await writeFile(filePath, program);
  await chmod(filePath, 0o755);
});
beforeEach(async () => {
  for (const name of ["script", "called", "left"]) await rm(path.join(folder, `${name}.json`), { force: true });
  await writeFile(file, "left over");
});

const tell = (script: Script) => writeFile(path.join(folder, "script.json"), JSON.stringify(script));
const source = (settings: Partial<YtDlpSettings> = {}) =>
  createYtDlpSource({ platform: instagram, path: filePath, searchPath, maxBytes: 1_000_000, ...settings });

interface Call {
  readonly pid: number;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly cookies?: string;
}
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
const called = async (): Promise<Call> => JSON.parse(await readFile(path.join(folder, "called.json"), "utf8")) as Call;

describe("yt-dlp", () => {
  test("details are read without a download", async () => {
    await tell({ json: information });
    expect(await source().resolve(reel, never)).toEqual({
      platform: "instagram",
      mediaId: "3667365614373573684",
      shortcode: "DLlGZiCOBQ0",
      url: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
      caption: "A caption",
      author: { handle: "someone", displayName: "Some One", verified: null },
      thumbnail: { url: "https://scontent.cdninstagram.com/l.jpg", width: 640, height: 1136 },
      dimensions: { width: 1080, height: 1920, aspectRatio: "9:16" },
      durationSeconds: 12.345,
      hasAudio: true,
      views: null,
      likes: 1_234,
      comments: 5,
      postedAt: "2025-06-15T15:06:40.000Z",
    });
    const { args } = await called();
    expect(args).toContain("--simulate");
    expect(args).not.toContain("--output");
  });

  test("the media lands in the file, and nothing stays behind", async () => {
    await tell({ json: information, media: "the sound" });
    expect(await source().fetch(reel, file, never)).toMatchObject({ caption: "A caption" });
    expect(await readFile(file, "utf8")).toBe("the sound");
    const { args, cwd } = await called();
    expect(args.slice(-2)).toEqual(["--", "https://www.instagram.com/reel/DLlGZiCOBQ0/"]);
    for (const flag of ["--no-config", "--no-playlist", "--dump-json", "--no-simulate"]) expect(args).toContain(flag);
    expect(args[args.indexOf("--max-filesize") + 1]).toBe("1000000");
    await expect(readdir(cwd)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("the program sees none of the service's settings", async () => {
    await tell({ json: information });
    await source().resolve(reel, never);
    const { env } = await called();
    const expected = ["HOME", "LC_ALL", "PATH", "TMPDIR", "YTDLP_NO_PLUGINS"];
    expect(
      Object.keys(env)
        .filter((name) => !/^(?:PWD|SHLVL|_|__CF.*)$/.test(name))
        .toSorted(),
    ).toEqual(expected);
  });

  test("cookies are copied, and the operator's file stays unchanged", async () => {
    const cookiesFile = path.join(folder, "cookies.txt");
    await writeFile(cookiesFile, "# Netscape HTTP Cookie File\n");
    await tell({ json: information });
    await source({ cookiesFile }).resolve(reel, never);
    expect((await called()).cookies).toBe("# Netscape HTTP Cookie File\n");
    expect(await readFile(cookiesFile, "utf8")).toBe("# Netscape HTTP Cookie File\n");
    await expect(source({ cookiesFile: path.join(folder, "none") }).resolve(reel, never)).rejects.toMatchObject({
      kind: "unreachable",
    });
  });

  test.each<[string, Script, string]>([
    ["a complaint", { complain: "ERROR: [Instagram] x: HTTP Error 404: Not Found" }, "deleted"],
    [
      "a download that broke off, though it ends like a good one",
      {
        json: information,
        partBytes: 50,
        complain: "ERROR: [download] Got error: Downloaded 50 bytes, expected 99",
        exit: 101,
      },
      "unreachable",
    ],
    ["a file announced as too large", { json: information }, "tooLarge"],
    ["a file that is too large", { json: information, media: "x".repeat(1_000_001) }, "tooLarge"],
    ["a file that grows too large", { json: information, partBytes: 1_000_001, hang: true }, "tooLarge"],
    ["much in small files", { json: information, deepFiles: { count: 20, bytes: 60_000 }, hang: true }, "tooLarge"],
    ["an empty file", { json: information, media: "" }, "unreachable"],
    ["too much output", { print: "x".repeat(9_000_000), media: "x" }, "unreachable"],
    ["no JSON", { print: "{broken\n", media: "x" }, "changed"],
    ["silence", {}, "changed"],
    ["no end", { json: information, hang: true }, "unreachable"],
  ])("%s is named", async (name, script, kind) => {
    await tell(script);
    const workDirectory = await mkdtemp(path.join(folder, "work-"));
    const seconds = name === "no end" ? { resolve: 2, fetch: 2 } : undefined;
    await expect(source({ workDirectory, seconds }).fetch(reel, file, never)).rejects.toMatchObject({ kind });
    expect(await readFile(file, "utf8")).toBe("left over");
    expect(path.dirname((await called()).cwd)).toBe(workDirectory);
    expect(await readdir(workDirectory)).toEqual([]);
  });

  test("a program that is not there is not the caller's fault", async () => {
    await expect(source({ path: path.join(folder, "nothing") }).resolve(reel, never)).rejects.toMatchObject({
      kind: "installation",
    });
  });

  test.each([true, false])("somebody whom it leaves behind holds nothing up (hangs: %s)", async (hang) => {
    await tell({ json: information, leaves: "detached", hang });
    const leaving = new AbortController();
    const resolving = source().resolve(reel, leaving.signal);
    const leftBehind = async () => Number(await readFile(path.join(folder, "left.json"), "utf8"));
    if (hang) {
      resolving.catch(() => undefined);
      await expect.poll(leftBehind).toBeGreaterThan(0);
      leaving.abort(new Error("left"));
      await expect(resolving).rejects.toThrow("left");
    } else expect((await resolving).caption).toBe("A caption");
    const left = await leftBehind();
    expect(isAlive(left), "nobody waited for his end").toBe(true);
    process.kill(left, "SIGKILL");
  });

  test.each(["linksTo", "isLinkOf", "pipes", "folders"])(
    "media that are no file of its own are refused: %s",
    async (how) => {
      const secret = path.join(folder, "secret");
      await writeFile(secret, "of the service");
      await tell({ json: information, [how]: secret });
      const fetching = source().fetch(reel, file, never);
      await expect(fetching).rejects.toMatchObject({ kind: "unreachable", message: /something else than a file/ });
      expect(await readFile(file, "utf8")).toBe("left over");
    },
  );

  test("what it started in its process group ends with the job", async () => {
    await tell({ json: information, leaves: "group" });
    await source().resolve(reel, never);
    const left = Number(await readFile(path.join(folder, "left.json"), "utf8"));
    await expect.poll(() => isAlive(left)).toBe(false);
  });

  test("it ends with the service, as do cookies, even when killed", async () => {
    const workDirectory = await mkdtemp(path.join(folder, "work-"));
    const cookiesFile = path.join(folder, "cookies.txt");
    await writeFile(cookiesFile, "# Netscape HTTP Cookie File\n");
    await tell({ hang: true });
    const parent = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("asking-process.mjs", import.meta.url)),
        JSON.stringify({
          settings: { path: filePath, searchPath, maxBytes: 1_000_000, workDirectory, cookiesFile },
          reel,
        }),
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await expect.poll(called).toMatchObject({ pid: expect.any(Number) });
    const { pid, cookies } = await called();
    expect(cookies).toBe("# Netscape HTTP Cookie File\n");
    parent.kill("SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(() => readdir(workDirectory)).toEqual([]);
  });

  test.each([
    "https://www.instagram.com/reel/x/?--exec=id",
    "--version",
    "http://www.instagram.com/reel/DLlGZiCOBQ0/",
    "http://127.0.0.1:8788/reel/DLlGZiCOBQ0/",
  ])("it is never started with %s", async (url) => {
    await expect(source().resolve({ ...reel, url }, never)).rejects.toMatchObject({ kind: "changed" });
    await expect(called()).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("finding yt-dlp", () => {
  test("prefers the named one, the installed one, the first on the path", async () => {
    const dataDirectory = await mkdtemp(path.join(folder, "data-"));
    const installed = path.join(dataDirectory, "ytdlp/current/bin/yt-dlp");
    expect(await findYtDlp({ dataDirectory, searchPath: folder })).toBe(filePath);
    await mkdir(path.dirname(installed), { recursive: true });
    await writeFile(installed, program, { mode: 0o755 });
    expect(await findYtDlp({ dataDirectory, searchPath: folder })).toBe(installed);
    expect(await findYtDlp({ configured: filePath, dataDirectory, searchPath: folder })).toBe(filePath);
    expect(await findYtDlp({ configured: filePath, searchPath: "" })).toBe(filePath);
    expect(await findYtDlp({ searchPath: ["relative", path.join(folder, "none"), folder].join(path.delimiter) })).toBe(
      filePath,
    );
    expect(await findYtDlp({ searchPath: "" })).toBeUndefined();
    await expect(findYtDlp({ configured: path.join(folder, "none"), searchPath: folder })).rejects.toThrow(
      /no program/,
    );
    await expect(findYtDlp({ configured: file, searchPath: folder })).rejects.toThrow(/no program/);
  });
});
