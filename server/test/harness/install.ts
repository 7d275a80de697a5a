import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const patienceMinutes = 5;

/** Runs a program and returns its output. If the program fails, throws an error with the whole output. */
export async function runIn(
  folder: string,
  program: string,
  parameters: readonly string[],
  { env, signal }: { readonly env?: NodeJS.ProcessEnv; readonly signal?: AbortSignal } = {},
): Promise<string> {
  try {
    const options = { cwd: folder, maxBuffer: 10_000_000, ...(env && { env }), ...(signal && { signal }) };
    return (await execute(program, parameters, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${parameters[0]}: ${stdout}${stderr || String(error)}`, { cause: error });
  }
}

/**
 * Installs a test's dependencies, or returns why that is impossible: a registry that is unreachable, slow or broken isn't our
 * fault.
 */
export async function lacking(
  folder: string,
  commands: readonly (readonly [string, ...string[]])[],
  env?: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patienceMinutes * 60_000);
  try {
    for (const [program, ...parameters] of commands)
      await runIn(folder, program, parameters, { signal, ...(env && { env }) });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    // The lock file doesn't match the manifest, which is our fault.
    if (message.includes("EUSAGE")) throw error;
    return `not tested: ${signal.aborted ? `not installed within ${patienceMinutes} minutes` : message.slice(0, 2_000)}`;
  }
}
