import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sessionOf, signal } from "./processes.mjs";
import { until, within } from "./waiting.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const elsewhere = new URL("use-standin-elsewhere.mjs", import.meta.url).href;
const mostPrinted = 200_000;
/** The start is not what is tried here, and a busy machine takes long. */
const startSeconds = 180;

/** An ffmpeg that waits before it reads a file while `gate` is there. */
const waitingDecoder = (gate, ffmpeg) => `#!/bin/sh
case "$*" in *file:*) while [ -e '${gate}' ]; do sleep 0.05; done ;; esac
exec '${ffmpeg}' "$@"
`;

async function prepare({ name, role, folder, environment, door, ffmpeg }) {
  const dataDirectory = path.join(folder, name);
  const temporary = path.join(folder, `${name}-temporary`);
  const gate = path.join(folder, `${name}-gate`);
  const decoder = path.join(folder, `${name}-decoder`);
  await mkdir(dataDirectory, { recursive: true });
  await mkdir(temporary, { recursive: true });
  if (ffmpeg) {
    await writeFile(decoder, waitingDecoder(gate, ffmpeg));
    await chmod(decoder, 0o755);
  }
  const settings = {
    PATH: process.env.PATH ?? "",
    TMPDIR: temporary,
    DATA_DIR: dataDirectory,
    ROLE: role,
    PORT: "0",
    STANDIN: "1",
    FAULTS_PAGES: door.origins.page,
    FAULTS_MEDIA: door.origins.media,
    FFMPEG_PATH: ffmpeg ? decoder : "embedded",
    ...environment,
  };
  return { dataDirectory, temporary, gate, settings };
}

/** What a dead process leaves looks as old as it has to be for the next process to remove it. */
function ageWork(dataDirectory) {
  const long = new Date(Date.now() - 24 * 60 * 60 * 1_000);
  const work = path.join(dataDirectory, "work");
  for (const one of readdirSync(work)) utimesSync(path.join(work, one, "alive"), long, long);
}

/**
 * One process of the service, which can be killed, frozen and started again. `role` is api, worker or all. It runs in a
 * session of its own, so that its children are known even when it is dead.
 */
export async function startMember(given) {
  const { name, role, door, way } = given;
  const { settings, ...places } = await prepare(given);
  const leaders = [];
  let child;
  let printed = "";
  let left;

  const member = {
    name,
    role,
    door,
    way,
    ...places,
    url: undefined,
    /** Whether callers may expect an answer. */
    isUp: false,
    /** Of the process that runs, and of those that ran before it. */
    leaders: () => leaders,
    get processId() {
      return child.pid;
    },
    printed: () => printed,
    children: () => sessionOf(child.pid).filter(({ processId }) => processId !== child.pid),
    /** `wrap` runs the program: a command line that it is appended to. `extra` are more variables. */
    async start({ wrap = [], extra = {} } = {}) {
      const program = [process.execPath, "--import", elsewhere, "server/dist/main.js"];
      const [file, ...parameters] = [...wrap, ...program];
      printed = "";
      child = spawn(file, parameters, {
        cwd: root,
        env: { ...settings, ...extra },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      leaders.push(child.pid);
      left = once(child, "exit");
      const read = (chunk) => {
        if (printed.length < mostPrinted) printed += chunk;
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      await until(startSeconds, `${name} starts`, () => {
        if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`);
        return printed.includes("Ctrl-C stops.");
      });
      member.url = /REST\s+(\S+)\/api\/v1/.exec(printed)?.[1];
      if (member.url) await until(startSeconds, `${name} is ready`, () => isReady(member.url), { every: 100 });
      member.isUp = true;
    },
    freeze() {
      member.isUp = false;
      signal(child.pid, "SIGSTOP");
    },
    thaw() {
      signal(child.pid, "SIGCONT");
      member.isUp = true;
    },
    async kill() {
      member.isUp = false;
      signal(child.pid, "SIGKILL");
      await within(20, `${name} dies`, left);
      ageWork(places.dataDirectory);
    },
    async stop() {
      member.isUp = false;
      signal(child.pid, "SIGTERM");
      await within(30, `${name} stops`, left);
    },
    /** Nothing of it may stay, whatever it was in the middle of. */
    async end() {
      member.isUp = false;
      for (const leader of leaders)
        for (const { processId } of sessionOf(leader)) {
          signal(processId, "SIGKILL");
          signal(processId, "SIGCONT");
        }
      await rm(places.gate, { force: true });
    },
  };
  await member.start();
  return member;
}

const isReady = (url) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
