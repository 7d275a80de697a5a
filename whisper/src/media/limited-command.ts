import { findExecutable } from "./find-executable.ts";

export interface LimitedCommand {
  readonly program: string;
  readonly parameters: readonly string[];
}

export interface CommandLimits {
  readonly cpuSeconds: number;
  /** Not for programs that reserve far more than they use, as those with a WebAssembly engine do. */
  readonly addressSpaceBytes?: number;
  /** Memory that the program may write to, which Linux counts apart from what is only reserved. */
  readonly dataBytes?: number;
}

/** A function that puts commands under limits of the system by `prlimit`, or leaves them as they are where there is none. */
export async function commandLimiter(
  searchPath: string,
  limits: CommandLimits,
): Promise<(command: readonly string[]) => LimitedCommand> {
  const prlimit = await findExecutable("prlimit", searchPath);
  const options = [`--cpu=${Math.ceil(limits.cpuSeconds)}`, "--core=0"];
  if (limits.addressSpaceBytes !== undefined) options.push(`--as=${limits.addressSpaceBytes}`);
  if (limits.dataBytes !== undefined) options.push(`--data=${limits.dataBytes}`);
  return (command) => {
    const [program = "", ...parameters] = prlimit === null ? command : [prlimit, ...options, "--", ...command];
    return { program, parameters };
  };
}
