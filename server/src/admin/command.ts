import { ServiceError } from "@reelscript/contract";
import type { DownloadProgress } from "@reelscript/whisper";
import * as z from "zod";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import type { Clock, Mailer, RecognizerVersion, ServicePart } from "../ports.ts";
import type { Config } from "../settings/config.ts";
import { AdminError } from "./admin-error.ts";

/** An argument of a command: a flag, or the operand, which has none. */
export interface Field<Type extends z.ZodType = z.ZodType> {
  /** Placeholder for the value in the help; undefined for a switch. */
  readonly value: string | undefined;
  readonly description: string;
  readonly type: Type;
}

export const field = <Type extends z.ZodType>(
  value: string | undefined,
  description: string,
  type: Type,
): Field<Type> => ({ value, description, type });

type Fields = Readonly<Record<string, Field>>;
type InputOf<CommandFields extends Fields> = {
  readonly [Name in keyof CommandFields]: z.output<CommandFields[Name]["type"]>;
};

/** The syntax of a command on the command line. */
interface Written<CommandFields extends Fields> {
  readonly words: string;
  readonly summary: string;
  readonly fields: CommandFields;
  /** The field without a flag. */
  readonly operand?: keyof CommandFields & string;
  /** Accepts several operands; they are passed separated by blanks. */
  readonly isRepeated?: true;
  readonly example: string;
  /** Lines at the end of the help, such as the format of a file. */
  readonly notes?: readonly string[];
}

/** A value for JSON, and its text for people. */
export interface Answered {
  readonly answer: unknown;
  readonly text: string;
  /** The answer is printed, but the program exits with 1. */
  readonly failed?: boolean | undefined;
}

/** Everything that the operator's program can use. */
export interface OperatorAccess {
  readonly config: Config;
  /** Faults in the settings that would stop a start of the service, one sentence each. */
  readonly settingProblems: readonly string[];
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly clock: Clock;
  /** The recognizer of a service with these settings. */
  readonly recognizer: RecognizerVersion;
  /** Opens the store of the data directory or, if there is one, of the database URL; never creates one. */
  readonly openStore: () => Promise<OpenedStore>;
  /** Seconds to wait for a process that holds the database without answering: it may be starting or stopping. */
  readonly patienceSeconds: number;
  /** Relative paths from the operator are resolved against this folder. */
  readonly workingDirectory: string;
  /** Replaces the database with the backup; returns the new path of the current one, if there was one. */
  readonly restoreBackup: (file: string) => Promise<string | undefined>;
  readonly onDownload: (progress: DownloadProgress) => void;
}

/** The operator's access while a command runs. */
export interface CommandAccess extends OperatorAccess {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Prints progress for people. */
  readonly say: (message: string) => void;
}

/** A command that runs where it was typed; it needs neither a running service nor its database. */
export interface LocalCommand extends Written<Fields> {
  readonly kind: "local";
  readonly carryOut: (input: unknown, access: CommandAccess) => Promise<Answered>;
}

interface Given<CommandFields extends Fields, Answer, Tools> extends Written<CommandFields> {
  readonly run: (input: InputOf<CommandFields>, tools: Tools) => Promise<Answer>;
  readonly text: (answer: Answer) => string;
}

export const localCommand = <CommandFields extends Fields, Answer>({
  run,
  text,
  hasFailed,
  ...written
}: Given<CommandFields, Answer, CommandAccess> & {
  readonly hasFailed?: (answer: Answer) => boolean;
}): LocalCommand => ({
  ...written,
  kind: "local",
  async carryOut(input, access) {
    const answer = await run(readFields(written.fields, input), access);
    return { answer, text: text(answer), failed: hasFailed?.(answer) };
  },
});

export interface StoreTools {
  readonly store: OpenedStore;
  readonly clock: Clock;
  /** The recognizer of the running service. */
  readonly recognizer: RecognizerVersion;
  /** The address that users see, if they sign in by password. */
  readonly invitationSite?: string | undefined;
  readonly mailer?: Mailer | undefined;
  /** True if the process that runs the command transcribes. */
  readonly worksHere?: boolean | undefined;
}

/**
 * A command on stored data: the service that holds the data carries it out, or the program itself if none is running. Throws
 * `AdminError`.
 */
export interface StoreCommand extends Written<Fields> {
  readonly kind: "store";
  /** Reads files that exist only where the command was typed. */
  readonly prepare?: (input: Record<string, unknown>, access: CommandAccess) => Promise<unknown>;
  readonly check: (input: unknown) => void;
  readonly carryOut: (input: unknown, tools: StoreTools) => Promise<Answered>;
  /** Replaces `carryOut` if no service is running; doesn't open the store. */
  readonly carryOutAlone?: ((input: unknown, access: CommandAccess) => Promise<Answered>) | undefined;
  /** The command works on the embedded database and takes minutes if that is large. */
  readonly isBackup?: true;
}

export function storeCommand<CommandFields extends Fields, Answer>({
  run,
  runAlone,
  text,
  ...written
}: Given<CommandFields, Answer, StoreTools> &
  Pick<StoreCommand, "prepare" | "isBackup"> & {
    readonly runAlone?: (input: InputOf<CommandFields>, access: CommandAccess) => Promise<Answer>;
  }): StoreCommand {
  const read = (input: unknown) => readFields(written.fields, input);
  const answered = (answer: Answer): Answered => ({ answer, text: text(answer) });
  return {
    ...written,
    kind: "store",
    check: (input) => void read(input),
    carryOut: async (input, tools) =>
      answered(
        await run(read(input), tools).catch((error: unknown) => {
          throw error instanceof ServiceError ? new AdminError("refused", error.message, error) : error;
        }),
      ),
    carryOutAlone: runAlone && (async (input, access) => answered(await runAlone(read(input), access))),
  };
}

/** The input with its defaults; throws `AdminError` of kind `usage` that names what is wrong. */
function readFields<CommandFields extends Fields>(fields: CommandFields, input: unknown): InputOf<CommandFields> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]));
  const read = z.strictObject(shape).safeParse(input);
  if (read.success) return read.data as InputOf<CommandFields>; // safe: the schemas are those of its fields
  throw new AdminError("usage", read.error.issues.map(issueText).join("; "));
}

export const issueText = ({ path, message }: z.core.$ZodIssue): string =>
  path.length > 0 ? `${path.join(".")}: ${message}` : message;

/** One line of 1 to `most` characters. */
export const lineField = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "must not be empty" })
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), { error: "must be one line" });

export const moment = (time: Date | null): string =>
  time === null ? "never" : `${time.toISOString().replace("T", " ").slice(0, 16)} UTC`;

/** Columns under titles, two spaces apart. */
export function alignedTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [titles, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The states of parts of the service, a row each. */
export const tableOfParts = (parts: readonly ServicePart[]): string =>
  alignedTable(
    ["STATE", "WHAT", "FOUND"],
    parts.map(({ state, subject, text }) => [state, subject, text]),
  );

/** One line per value, after its label, which has at most seven letters. */
export const labeledLines = (rows: Readonly<Record<string, string>>): string =>
  Object.entries(rows)
    .map(([label, value]) => `${label.padEnd(7)}  ${value}`)
    .join("\n");
