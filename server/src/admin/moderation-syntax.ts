import type { Syntax } from "./admin-arguments.ts";

const decision = [
  { name: "reason", value: "text", required: true, description: "Why, for the audit" },
  { name: "by", value: "name", required: true, description: "Who decided, for the audit" },
];
const reel = { name: "url", value: "reel url", description: "The reel's own URL, in any shape but a share link" };
const account = { name: "account", value: "account id", description: "The account's id, as account list shows it" };

const page = { name: "page", value: "@handle", description: "The page's handle, address or id" };

/** How the commands are written that concern what is others'. */
export const moderationSyntaxes: readonly Syntax[] = [
  {
    words: ["account", "suspend"],
    command: "accountSuspend",
    summary: "Refuse an account's keys and sessions until it is unsuspended; its running work ends",
    operand: account,
    flags: decision,
    example: 'account suspend acc_… --reason "floods the queue" --by ada',
  },
  {
    words: ["account", "unsuspend"],
    command: "accountUnsuspend",
    summary: "Let a suspended account work again, with the keys and sessions that it had",
    operand: account,
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
