import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const patienceMinutes = 5;

/** Runs a program and returns its output. Throws with all of it when the program fails. */
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

/** Installs a test's needs, or says why they can't be had: a registry that is away, slow or broken isn't our fault. */
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
    // The lock file doesn't belong to the manifest: that is ours.
    if (message.includes("EUSAGE")) throw error;
    return `not tested: ${signal.aborted ? `not installed within ${patienceMinutes} minutes` : message.slice(0, 2_000)}`;
  }
}
