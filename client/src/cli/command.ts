import { fileLimits, type Operation, type OperationName, operations, videoStyleNames } from "@reelscript/contract";

type FieldKind = "string" | "integer" | "number" | "boolean" | "json";

/** One input field of an operation as the command line takes it. */
export interface Field {
  /** Name in the contract. */
  readonly name: string;
  /** Name on the command line, without dashes. */
  readonly flag: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * A command: an operation of the contract, several of them, or none. All values are plain, because a packed program has no
 * schemas.
 */
export interface Command {
  readonly name: string;
  /** Undefined if the command makes no call. */
  readonly operationName: OperationName | undefined;
  readonly summary: string;
  readonly description: string;
  readonly needsKey: boolean;
  /** True if its first argument may be several files instead. */
  readonly takesFiles?: true;
  /** True if the command's work can be followed. */
  readonly isFollowable: boolean;
  /** A real command line. */
  readonly example: string;
  /** Required fields first, in the contract's order. */
  readonly fields: readonly Field[];
}

const verbs = { GET: "", POST: "", PATCH: "update-", DELETE: "delete-" } as const;

/**
 * The REST path says the command: `GET /scripts` is `scripts`, `GET /scripts/{id}` and `GET /scripts/resolve` are `script`,
 * `PATCH /bio` is `update-bio`, `POST /webhooks` is `create-webhook`, `POST /webhooks/{id}/test` is `test-webhook`, and
 * `POST /scripts/{id}/retranscribe` is `retranscribe`, because scripts are what the program is about.
 */
export function commandName({ method, path }: Pick<Operation["http"], "method" | "path">): string {
  const [, things, done = "create"] = /^\/(\w+s)(?:\/\{\w+\}\/(\w+))?$/.exec(path) ?? [];
  if (method === "POST" && things !== undefined) return things === "scripts" ? done : `${done}-${singular(things)}`;
  const single = /\/(\{\w+\}|resolve)$/.test(path);
  const words = path.split("/").filter((segment) => !/^(|\{\w+\}|resolve)$/.test(segment));
  return (
    verbs[method] + words.map((word, index) => (single && index === words.length - 1 ? singular(word) : word)).join("-")
  );
}

/** "batch" of "batches", "script" of "scripts". */
const singular = (word: string): string => word.replace(/(?<=ch)es$|s$/, "");

/** Sends a list as batches, or follows those that were sent: in the place of the operations `createBatch` and `getBatch`. */
const batch: Command = {
  name: "batch",
  operationName: "createBatch",
  summary: "Transcribe a list of reels",
  description:
    "Sends the links of a file, in quotation marks and tables too, in batches of up to 100, says what they cost, and prints each result as one line of JSON. Empty lines and lines that begin with # are left out; - reads standard input. Batches belong to the account and continue without this program: give their ids instead of a file to get their results, those that are there already first. @handle stands for the reels of an account in your library, and search:words for the matches of a search. A reel that fails doesn't stop the rest.",
  needsKey: true,
  isFollowable: true,
  example: "reelscript batch reels.txt --output results.jsonl",
  fields: [
    textField(
      "list",
      "The file, - for standard input, @handle, search:words, or ids of batches with commas between them",
      true,
    ),
    textField("output", "File for the results, one line of JSON for each reel; an earlier one is replaced"),
    { ...textField("dryRun", "Only say what the batch would cost"), kind: "boolean" },
    { ...textField("retryFailed", "With ids: begin the failed reels again that can work now"), kind: "boolean" },
    textField("languageHint", "BCP-47 code of the language of all these reels"),
  ],
};

/** Makes a video and downloads it. */
const makeVideo: Command = {
  name: "make-video",
  operationName: "createVideo",
  summary: "Make a subtitled video",
  description:
    "Makes a video of a script's file with its words in the picture, waits for it, and downloads it. The file must be kept: send it with --keep-days, or with --video-style, which makes the video when the words are there.",
  needsKey: true,
  isFollowable: true,
  example: "reelscript make-video scr_4Tz8Qm1Lw0XcVb7K --style highlight --output subtitled.mp4",
  fields: [
    textField("id", "The script's id", true),
    {
      ...textField("style", "Look of the words"),
      choices: videoStyleNames,
      default: "lowerThird",
    },
    textField("output", "Name of the MP4 file; by default the id of the video"),
  ],
};

/** The commands `batch`, `transcribe` and `make-video` make these calls. */
const operationsOfOthers: ReadonlySet<string> = new Set<OperationName>([
  "createBatch",
  "getBatch",
  "createFile",
  "createVideo",
]);

/** Options of files, in addition to those of a reel. */
const fileFields: readonly Field[] = [
  textField("title", "Title of a file's script"),
  {
    ...textField("keepDays", "Days for which files are kept"),
    kind: "integer",
    minimum: 0,
    maximum: fileLimits.mostKeepDays,
  },
  {
    ...textField("videoStyle", "Makes subtitled videos in this style, and keeps the files for a week"),
    choices: videoStyleNames,
  },
];

const shellNames = ["bash", "zsh", "fish"] as const;
/** The program completes words in these shells. */
export type ShellName = (typeof shellNames)[number];

/** A script for a shell. */
const completion: Command = {
  name: "completion",
  operationName: undefined,
  summary: "Complete words in a shell",
  description:
    'Prints a script by which a shell completes the commands, options and values of this program. Put eval "$(reelscript completion bash)" into ~/.bashrc, eval "$(reelscript completion zsh)" into ~/.zshrc below compinit, or reelscript completion fish | source into ~/.config/fish/config.fish.',
  needsKey: false,
  isFollowable: false,
  example: 'eval "$(reelscript completion bash)"',
  fields: [{ ...textField("shell", "The shell: bash, zsh or fish", true), choices: shellNames }],
};

export const commands: readonly Command[] = [
  ...Object.entries(operations)
    .filter(([operationName]) => !operationsOfOthers.has(operationName))
    .map(([operationName, operation]) => commandOf(operationName as OperationName, operation)),
  batch,
  makeVideo,
  completion,
];

function textField(name: string, description: string, required = false): Field {
  return { name, flag: flagOf(name, required), kind: "string", required, description };
}

function commandOf(operationName: OperationName, operation: Operation): Command {
  const { summary, description, access, http } = operation;
  const name = commandName(http);
  const takesFiles = operationName === "transcribeReel";
  const fields = [...readFields(operation), ...(takesFiles ? fileFields : [])];
  return {
    name,
    operationName,
    summary,
    description: `${forPeople(description)}${takesFiles ? " Give files instead of an address to transcribe your own: they are sent, several as one batch, and continued when the connection or the program ended." : ""}`,
    ...(takesFiles && { takesFiles: true as const }),
    needsKey: access === "key",
    isFollowable: http.respondAsync !== undefined,
    example: exampleOf(name, fields, operation.example),
    fields,
  };
}

/**
 * Keeps what a person at a terminal needs: code, headers and statuses are for programmers. A sentence ends before its first
 * clause about them, because the clauses after it depend on it. Handles, events and a value that is explained first are what
 * a person types or sees.
 */
function forPeople(description: string): string {
  const [about = ""] = description.split("\n\n");
  return about
    .replace(/`(@\w+|\w+\.\w+)`|^`(\w+)`(?=: )/g, "$1$2")
    .split(/(?<=\.) /)
    .map((sentence) => {
      const clauses = sentence.split(/(?<=[;:]) /);
      const technical = clauses.findIndex((clause) => /`|\b[45]\d\d\b|\bREST\b/.test(clause));
      return technical === -1 ? sentence : clauses.slice(0, technical).join(" ").replace(/[;:]$/, ".");
    })
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function exampleOf(name: string, fields: readonly Field[], example: Readonly<Record<string, unknown>>): string {
  const words = fields.flatMap((field) => {
    const value = example[field.name];
    if (value === undefined) return [];
    const text = shellWord(typeof value === "string" ? value : JSON.stringify(value));
    return field.required ? [text] : [`--${field.flag}`, ...(field.kind === "boolean" ? [] : [text])];
  });
  return ["reelscript", name, ...words].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function readFields(operation: Operation): Field[] {
  // A JSON Schema is the one description of a field that does not depend on how Zod wraps defaults and refinements.
  const { properties = {}, required = [] } = operation.input.toJSONSchema({ io: "input" }) as JsonSchema;
  return Object.entries(properties)
    .map(([name, schema]) => ({
      name,
      flag: flagOf(name, required.includes(name)),
      kind: fieldKind(schema),
      required: required.includes(name),
      description: forPeople(schema.description ?? ""),
      ...(schema.enum && { choices: schema.enum.map(String) }),
      ...(schema.default !== undefined && {
        default: typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default),
      }),
      ...(schema.minimum !== undefined && { minimum: schema.minimum }),
      ...(schema.maximum !== undefined && { maximum: schema.maximum }),
    }))
    .sort((left, right) => Number(right.required) - Number(left.required));
}

/** `--url` is the service's address, so a reel's address has another name. */
function flagOf(name: string, isRequired: boolean): string {
  if (name === "url" && !isRequired) return "reel";
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function fieldKind({ type, anyOf = [] }: JsonSchema): FieldKind {
  // A field that may also be null has the kind of its other type.
  const [other, ...more] = anyOf.filter((one) => one.type !== "null");
  if (other !== undefined && more.length === 0) return fieldKind(other);
  return type === "string" || type === "boolean" || type === "integer" || type === "number" ? type : "json";
}
