import type { AdminCommandName } from "./admin-commands.ts";
import type { ModelCommandName } from "./model-commands.ts";

export interface Flag {
  readonly name: string;
  /** Of a switch there is none. */
  readonly value?: string;
  readonly required: boolean;
  readonly description: string;
}

/** How a command is written on the command line. */
export interface Syntax<Command extends string> {
  readonly words: readonly [string, ...string[]];
  readonly command: Command;
  readonly summary: string;
  /** The field without a flag; required unless it says otherwise. */
  readonly operand?: Omit<Required<Flag>, "required"> & { readonly required?: false; readonly repeated?: true };
  readonly flags: readonly Flag[];
  readonly example: string;
}

const decision = [
  { name: "reason", value: "text", required: true, description: "Why; kept in the audit log" },
  { name: "by", value: "name", required: true, description: "Who decided; kept in the audit log" },
];
const reel = { name: "url", value: "reel url", description: "The reel's own URL, in any shape but a share link" };
const accountOperand = {
  name: "account",
  value: "account id",
  description: "The account's id, as account list shows it",
};

const page = { name: "page", value: "@handle", description: "The page's handle, address or id" };

/** How the commands are written that concern what is others'. */
export const moderationSyntaxes: readonly Syntax<AdminCommandName>[] = [
  {
    words: ["account", "suspend"],
    command: "accountSuspend",
    summary: "Refuse an account's keys and sessions until it is unsuspended; its running work ends",
    operand: accountOperand,
    flags: decision,
    example: 'account suspend acc_… --reason "floods the queue" --by ada',
  },
  {
    words: ["account", "unsuspend"],
    command: "accountUnsuspend",
    summary: "Let a suspended account work again, with the keys and sessions that it had",
    operand: accountOperand,
    flags: decision,
    example: 'account unsuspend acc_… --reason "settled" --by ada',
  },
  {
    words: ["takedown", "add"],
    command: "takedownAdd",
    summary: "Remove a reel's transcript and thumbnail everywhere, and keep it from coming back",
    operand: reel,
    flags: decision,
    example: 'takedown add https://www.instagram.com/reel/DLlGZiCOBQ0/ --reason "request of its author" --by ada',
  },
  {
    words: ["takedown", "lift"],
    command: "takedownLift",
    summary: "Let a reel that was taken down be transcribed again",
    operand: reel,
    flags: decision,
    example: 'takedown lift https://www.instagram.com/reel/DLlGZiCOBQ0/ --reason "wrong reel" --by ada',
  },
  {
    words: ["page", "take-down"],
    command: "pageTakeDown",
    summary: "Take a bio page offline until it is restored: visitors get 410",
    operand: page,
    flags: decision,
    example: 'page take-down @ana --reason "phishing" --by ada',
  },
  {
    words: ["page", "restore"],
    command: "pageRestore",
    summary: "Put a bio page that was taken down back online",
    operand: page,
    flags: decision,
    example: 'page restore @ana --reason "settled" --by ada',
  },
  {
    words: ["audit", "list"],
    command: "auditList",
    summary: "List who took down what and who suspended whom, and why, newest first",
    flags: [
      { name: "limit", value: "count", required: false, description: "Entries (100 unless given, 1000 at most)" },
    ],
    example: "audit list --limit 20",
  },
];

const model = {
  name: "model",
  value: "model",
  description:
    "A name of the model hub such as owner/name (or owner/name@revision), as model list shows them, or a folder",
};
const language = (description: string) => ({ name: "language", value: "code", required: false, description });

export const modelSyntaxes: readonly Syntax<ModelCommandName>[] = [
  {
    words: ["model", "list"],
    command: "modelList",
    summary: "List the speech models: those on this machine, which is in use, and larger ones to add",
    flags: [],
    example: "model list",
  },
  {
    words: ["model", "add"],
    command: "modelAdd",
    summary: "Download a Whisper from the model hub, or copy one from a folder; its name is alone on the last line",
    operand: model,
    flags: [language("Use it for this language from the next start on")],
    example: "model add onnx-community/whisper-small",
  },
  {
    words: ["model", "use"],
    command: "modelUse",
    summary: "Use a model from the next start on; whisper-base is the embedded one",
    operand: { ...model, description: "A model on this machine, as model list shows it" },
    flags: [language("For this language only; otherwise for every language without a model of its own")],
    example: "model use whisper-base",
  },
  {
    words: ["model", "test"],
    command: "modelTest",
    summary: "Measure speed, memory and wrong words of a model, with the reels that come along or clips of your own",
    operand: { ...model, required: false, description: "A model on this machine; the one in use unless given" },
    flags: [
      language("Measure with this language only"),
      {
        name: "clips",
        value: "folder",
        required: false,
        description: "Sound files with what is said in them beside each, such as one.m4a and one.txt",
      },
    ],
    example: "model test onnx-community/whisper-small --language hi --clips clips",
  },
];
