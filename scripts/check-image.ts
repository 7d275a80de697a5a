// Runs every step of deploy/Dockerfile in empty folders, without Docker and as a plain user, and then the image's program on
// read-only files: it must become ready and transcribe a reel, the second time from its cache.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { megabytesOf, treeOf } from "./processes/process-table.ts";
import { freePort } from "./processes/throwaway-postgres.ts";
import { type CopyStep, readDockerfile, type RunStep, type Stage } from "./read-dockerfile.ts";
import { root } from "./root.ts";

const stages = readDockerfile(readFileSync(path.join(root, "deploy/Dockerfile"), "utf8"));
const ignored = readFileSync(path.join(root, ".dockerignore"), "utf8").split("\n").filter(Boolean);
const isRoot = process.getuid?.() === 0;
/** The user "nobody" of every Linux; anyone but root is already a plain user. */
const plain = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const folder = mkdtempSync(path.join(tmpdir(), "reelscript-image-"));
const home = path.join(folder, "home");
const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
const started = performance.now();
let program: ChildProcess | undefined;

try {
  mkdirSync(home);
  giveAway(folder, false);
  giveAway(home);
  for (const stage of stages) build(stage);
  await tryProgram(stages.at(-1)!);
  say(`The image works. It took ${seconds(started)} s.`);
} finally {
  program?.kill("SIGKILL");
  spawnSync("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
}

function build(stage: Stage): void {
  const [, major] = /^node:(\d+)/.exec(stage.image) ?? [];
  if (major === undefined) throw new Error(`a base image that is not node: ${stage.image}`);
  if (major !== process.versions.node.split(".")[0])
    say(`The image has Node ${major}, this is ${process.version}: what differs between them is not tested.`);
  mkdirSync(rootOf(stage));
  for (const step of stage.steps) {
    const from = performance.now();
    if (step.kind === "workdir") mkdirSync(inside(stage, step.path), { recursive: true });
    if (step.kind === "copy") copy(stage, step);
    if (step.kind === "run") run(stage, step);
    if (step.kind === "packages") say(`Not run here: ${step.command}`);
    if (step.kind === "run") say(`${seconds(from)} s  ${step.command}`);
  }
}

function rootOf(stage: Stage): string {
  return path.join(folder, `stage-${stage.name ?? stages.indexOf(stage)}`);
}

function copy(stage: Stage, { from, sources, target, cwd }: CopyStep): void {
  const other = from === undefined ? undefined : stages.find(({ name }) => name === from);
  if (from !== undefined && other === undefined) throw new Error(`no stage ${from}`);
  for (const source of sources) {
    const origin = other ? inside(other, source) : path.join(root, source);
    const place = inside(stage, path.posix.resolve(cwd, target));
    const isFolder = lstatSync(origin).isDirectory();
    const file = !isFolder && /(\/|^\.)$/.test(target) ? path.join(place, path.basename(origin)) : place;
    mkdirSync(isFolder ? file : path.dirname(file), { recursive: true });
    cpSync(origin, file, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (name) => other !== undefined || !isIgnored(path.relative(root, name)),
    });
  }
  giveAway(rootOf(stage));
}

/** Applies .dockerignore, but supports only our kinds of patterns: a path, or a name anywhere. */
function isIgnored(name: string): boolean {
  return ignored.some((pattern) => {
    const anywhere = /^\*\*\/(.+)$/.exec(pattern)?.[1];
    if (anywhere === undefined) return name === pattern;
    const base = path.basename(name);
    return anywhere.startsWith("*") ? base.endsWith(anywhere.slice(1)) : base === anywhere;
  });
}

function run(stage: Stage, { command, cwd, env }: RunStep): void {
  const result = spawnSync("sh", ["-c", command], {
    cwd: inside(stage, cwd),
    env: { ...basics(), ...env, npm_config_registry: registry },
    encoding: "utf8",
    ...plain,
  });
  if (result.status !== 0)
    throw new Error(`${command}\n${result.stdout}${result.stderr}${result.error?.message ?? ""}`);
  if (command.includes("prune")) say(result.stdout.trim());
  if (command.includes("prune") || command.includes("omit=dev")) say(packagesIn(inside(stage, cwd)));
}

function packagesIn(place: string): string {
  const modules = path.join(place, "node_modules");
  const { packages } = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8")) as {
    packages: Record<string, { link?: boolean }>;
  };
  const count = Object.values(packages).filter(({ link }) => !link).length;
  const megabytes = (name: string): string => `${Math.round(bytesOf(path.join(modules, name)) / 1_000_000)} MB`;
  return `${count} packages, ${megabytes("")}, of which onnxruntime-node ${megabytes("onnxruntime-node")}`;
}

async function tryProgram(stage: Stage): Promise<void> {
  if (stage.user === "root") throw new Error("the image runs as root");
  const port = await freePort();
  const metricsPort = await freePort();
  const temporary = path.join(folder, "tmp");
  mkdirSync(temporary);
  giveAway(temporary);
  say(`${Math.round(bytesOf(rootOf(stage)) / 1_000_000)} MB in the image on top of ${stage.image}`);
  spawnSync("chmod", ["-R", "a-w", rootOf(stage)]);
  for (const step of stage.steps)
    if (step.kind === "copy" && step.owner === stage.user)
      spawnSync("chmod", ["-R", "u+w", inside(stage, step.target)]);
  const env = {
    ...basics(),
    ...stage.env,
    PATH: [...(stage.env.PATH ?? "").split(":").map((place) => inside(stage, place)), process.env.PATH].join(":"),
    TMPDIR: temporary,
    DATA_DIR: inside(stage, stage.env.DATA_DIR ?? ""),
    // Production needs an identity provider and Stripe; everything else is as in the image.
    NODE_ENV: "",
    HOST: "127.0.0.1",
    STANDIN: "1",
    STANDIN_PORT: "0",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  };
  const [file = "", ...parameters] = [...stage.entrypoint, ...stage.command];
  const cwd = inside(stage, stage.workdir);
  const begun = performance.now();
  const child = spawn(file, parameters, { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...plain });
  program = child;
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (printed += chunk.toString()));
  const ended = once(child, "exit");

  const url = `http://127.0.0.1:${port}`;
  await until("ready", async () => (await fetch(`${url}/readyz`)).status === 200);
  say(`Ready after ${seconds(begun)} s, with ${memoryOf(child.pid!)}`);
  const key = await until("a key", () => /your key\s+(svc_sk_\w+)/.exec(printed)?.[1]);
  if (!/yt-dlp \d{4}\.\d\d\.\d\d \(/.test(printed)) throw new Error(`the image has no yt-dlp that works\n${printed}`);
  const reel = `${/stand-in\s+(\S+)/.exec(printed)?.[1]}/reel/CenAusten01/`;
  const health = spawnSync(stage.healthcheck[0] ?? "", stage.healthcheck.slice(1), { cwd, env, ...plain });
  if (health.status !== 0) throw new Error("the health check of the image fails on a healthy service");
  for (const cached of [false, true]) {
    const answer = await fetch(`${url}/api/v1/transcribe`, {
      method: "POST",
      headers: { authorization: `Bearer ${String(key)}`, "content-type": "application/json" },
      body: JSON.stringify({ url: reel }),
    });
    const body = (await answer.json()) as { cached: boolean; transcript: string };
    if (answer.status !== 200 || body.cached !== cached || !/\w+ \w+/.test(body.transcript))
      throw new Error(`transcribing answered ${answer.status} ${JSON.stringify(body)}\n${printed}`);
  }
  say(`After a reel it takes ${memoryOf(child.pid!)}`);
  child.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`the program ended with ${code}\n${printed}`);

  async function until<Result>(what: string, check: () => Result | Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < 600; tries += 1) {
      const result = await Promise.resolve()
        .then(check)
        .catch(() => undefined);
      if (result) return result;
      if (child.exitCode !== null) break;
      await pause(200);
    }
    throw new Error(`not ${what}:\n${printed}`);
  }
}

function memoryOf(processId: number): string {
  const tree = treeOf(processId);
  return `${Math.round(megabytesOf(tree))} MB of memory in ${tree.length} processes`;
}

function basics(): Record<string, string> {
  const { PATH, NODE_EXTRA_CA_CERTS, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
  const given = { PATH, NODE_EXTRA_CA_CERTS, HTTPS_PROXY, HTTP_PROXY, NO_PROXY };
  const ofPip = Object.entries(process.env).filter(([name]) => name.startsWith("PIP_"));
  return {
    HOME: home,
    ...(Object.fromEntries([...Object.entries(given), ...ofPip].filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >),
  };
}

function inside(stage: Stage, name: string): string {
  return path.join(rootOf(stage), path.posix.normalize(name));
}

function giveAway(place: string, recursive = true): void {
  if (!isRoot) return;
  spawnSync("chown", [...(recursive ? ["-R"] : []), `${plain.uid}:${plain.gid}`, place]);
}

function bytesOf(place: string): number {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).size, 0);
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(1);
}

function say(text: string): void {
  console.log(text);
}
