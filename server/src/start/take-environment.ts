import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { isSecret } from "../settings/secret-settings.ts";

interface TakenEnvironment {
  /** The environment at the start of the process, including secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Other processes of the same user can still read the secrets. */
  readonly isReadable: boolean;
}

/**
 * Removes the secrets from this process's environment, before it has children. Deleting a variable only hides it from this
 * process: the system shows the original environment, `/proc/<pid>/environ`, to every process of the same user. So the values
 * are overwritten there.
 */
export function takeEnvironment(processEnvironment: NodeJS.ProcessEnv): TakenEnvironment {
  const environment = { ...processEnvironment };
  const secrets = Object.keys(processEnvironment).filter((name) => isSecret(name) && processEnvironment[name] !== "");
  for (const name of secrets) delete processEnvironment[name];
  if (secrets.length === 0) return { environment, isReadable: false };
  if (process.platform !== "linux") return { environment, isReadable: true };
  try {
    overwrite();
  } catch {
    // Checks the result by reading it back.
  }
  return { environment, isReadable: isLeft() };
}

/** The address of the environment in this process's memory: the fields 50 and 51 of its state, after a name in brackets. */
function placeOfEnvironment(): { readonly start: number; readonly length: number } {
  const state = readFileSync("/proc/self/stat", "latin1");
  const fields = state.slice(state.lastIndexOf(")") + 2).split(" ");
  const start = Number(fields[47]);
  return { start, length: Number(fields[48]) - start };
}

function overwrite(): void {
  const { start, length } = placeOfEnvironment();
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const variables = Buffer.alloc(length);
    readSync(memory, variables, 0, length, start);
    for (const { name, from, to } of valuesIn(variables))
      if (isSecret(name)) writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
  } finally {
    closeSync(memory);
  }
}

/** The system hides a process whose program file its user can't read, even from itself. */
function isLeft(): boolean {
  try {
    const variables = readFileSync("/proc/self/environ");
    return valuesIn(variables).some(({ name, from }) => isSecret(name) && variables[from] !== 0);
  } catch {
    return false;
  }
}

/** Variables in the system's format, `NAME=value` with a zero byte after each. */
function valuesIn(variables: Buffer): { readonly name: string; readonly from: number; readonly to: number }[] {
  const entries = [];
  for (let at = 0; at < variables.length;) {
    const end = variables.indexOf(0, at);
    const to = end === -1 ? variables.length : end;
    const equals = variables.indexOf("=", at);
    if (equals !== -1 && equals + 1 < to)
      entries.push({ name: variables.subarray(at, equals).toString("latin1"), from: equals + 1, to });
    at = to + 1;
  }
  return entries;
}
