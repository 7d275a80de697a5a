import { readdirSync, utimesSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Process, sessionOf, signal } from "../scripts/processes/process-table.ts";
import { type Program, startProgram } from "../scripts/processes/start-program.ts";
import type { Door } from "./start-door.ts";
import type { Way } from "./start-way.ts";
import { within } from "./waiting.ts";

type Role = "api" | "worker" | "all";
interface Given {
  readonly name: string;
  readonly role: Role;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly door: Door;
  /** Routes to the database and to its replica, if they are on a server. */
  readonly way: Way | undefined;
  readonly readWay: Way | undefined;
  readonly ffmpeg: string | undefined;
}

/** A program of the service: a file, this tree's unless given, and modules that are loaded before it. */
export interface Release {
  readonly file?: string;
  readonly preload?: readonly string[];
}

export interface StartOptions {
  readonly wrap?: readonly string[];
  readonly extra?: Readonly<Record<string, string>>;
  readonly release?: Release;
}
/**
 * One process of the service, which can be killed, frozen and started again. `role` is api, worker or all. It runs in its own
 * session, so that its children are known even when it is dead.
 */
export interface Member {
  readonly name: string;
  readonly role: Role;
  readonly door: Door;
  readonly way: Way | undefined;
  readonly readWay: Way | undefined;
  readonly dataDirectory: string;
  readonly temporary: string;
  /** While this file exists, its decoder waits. */
  readonly gate: string;
  /** `undefined` for a worker. */
  url: string | undefined;
  isUp: boolean;
  /** Ids of the current process and of its predecessors. */
  leaders(): readonly number[];
  readonly processId: number;
  readonly printed: () => string;
  children(): Process[];
  /** `wrap` is a command line that runs the program. `extra` are additional variables. `release` is another program. */
  start(options?: StartOptions): Promise<void>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Nothing of it may remain, whatever it was doing. */
  end(): Promise<void>;
}

export const isRecognizer = ({ command }: Process): boolean => command.includes("recognizer-child");
export const isDecoder = ({ command }: Process): boolean => command.includes("-nostdin");
/** A member keeps these children running for the next reel, file or picture. */
export const isKept = ({ command }: Process): boolean => /(recognizer|embedded-ffmpeg|picture)-child/.test(command);

/** An ffmpeg that waits before it reads a file while `gate` exists. */
const waitingDecoder = (gate: string, ffmpeg: string): string => `#!/bin/sh
case "$*" in *file:*) while [ -e '${gate}' ]; do sleep 0.05; done ;; esac
exec '${ffmpeg}' "$@"
`;

async function prepare({ name, role, folder, environment, ffmpeg }: Given) {
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
  const settings: Record<string, string> = {
    TMPDIR: temporary,
    DATA_DIR: dataDirectory,
    ROLE: role,
    FFMPEG_PATH: ffmpeg ? decoder : "embedded",
    ...environment,
  };
  return { dataDirectory, temporary, gate, settings };
}

/** Ages a dead process's files, so that the next process removes them. */
function ageWork(dataDirectory: string): void {
  const long = new Date(Date.now() - 24 * 60 * 60 * 1_000);
  const work = path.join(dataDirectory, "work");
  for (const one of readdirSync(work)) utimesSync(path.join(work, one, "alive"), long, long);
}

export async function startMember(given: Given): Promise<Member> {
  const { name, role, door, way, readWay } = given;
  const { settings, ...folders } = await prepare(given);
  const leaders: number[] = [];
  let program: Program;

  const member: Member = {
    name,
    role,
    door,
    way,
    readWay,
    ...folders,
    url: undefined,
    isUp: false,
    leaders: () => leaders,
    get processId() {
      return program.processId;
    },
    printed: () => program.printed(),
    children: () => sessionOf(program.processId).filter(({ processId }) => processId !== program.processId),
    async start({ wrap = [], extra = {}, release = {} } = {}) {
      const environment = { ...settings, ...extra };
      program = await startProgram({ environment, standin: door.origins, wrap, detached: true, ...release });
      leaders.push(program.processId);
      member.url = program.url;
      // Uses the same port, so that a proxy finds it again.
      if (member.url) settings.PORT = new URL(member.url).port;
      member.isUp = true;
    },
    freeze() {
      member.isUp = false;
      signal(member.processId, "SIGSTOP");
    },
    thaw() {
      signal(member.processId, "SIGCONT");
      member.isUp = true;
    },
    async kill() {
      member.isUp = false;
      signal(member.processId, "SIGKILL");
      await within(20, `${name} dies`, program.ended);
      ageWork(folders.dataDirectory);
    },
    async stop() {
      member.isUp = false;
      signal(member.processId, "SIGTERM");
      await within(30, `${name} stops`, program.ended);
    },
    async end() {
      member.isUp = false;
      for (const leader of leaders)
        for (const { processId } of sessionOf(leader)) {
          signal(processId, "SIGKILL");
          signal(processId, "SIGCONT");
        }
      await rm(folders.gate, { force: true });
    },
  };
  await member.start();
  return member;
}
