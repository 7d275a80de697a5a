import { parseArgs } from "node:util";
import { type Command, commands, type ShellName } from "./command.ts";
import { commonFlags, findCommand, findCommandName, flagsOfCommand } from "./parse-arguments.ts";
import { serviceCommandNames } from "./service-program.ts";

/** A completion that the shell offers at the cursor. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Each script asks this program for the words, so that they always match the installed version. */
const scripts: Readonly<Record<ShellName, string>> = {
  bash: `_reelscript() {
  local word about
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    COMPREPLY+=("$word")
  done < <("$1" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _reelscript reelscript`,
  zsh: `#compdef reelscript
_reelscript() {
  local -a candidates
  local word about
  while IFS=$'\\t' read -r word about; do
    candidates+=("\${word//:/\\\\:}:$about")
  done < <("\${(Q)words[1]}" completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe reelscript candidates; else _files; fi
}
if [[ "\${funcstack[1]}" == _reelscript ]]; then _reelscript "$@"; else compdef _reelscript reelscript; fi`,
  fish: `function __reelscript_words
  set -l words (commandline -opc) "$(commandline -ct)"
  set -l candidates ($words[1] completion words -- $words[2..-1] 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c reelscript -f -a '(__reelscript_words)'`,
};

/** Returns the script with which a shell completes the program's commands, options and values. */
export const completionScript = (shell: string): string => scripts[shell as ShellName];

/** The candidates for the last of the words after the program's name, one per line: the word, a tab, and its description. */
export function completionLines(words: readonly string[]): string {
  // bash treats "=" as a separate word.
  const given = [...words.slice(0, -1).filter((word) => word !== "="), words.at(-1)?.replace(/^=$/, "") ?? ""];
  const current = given.at(-1)!;
  return candidatesFor(current, given.slice(0, -1))
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, about }) => `${word}\t${about.split(/(?<=\.) |; |[\t\n]/, 1)[0]!}\n`)
    .join("");
}

function candidatesFor(current: string, before: readonly string[]): readonly Candidate[] {
  const name = findCommandName(before);
  const command = name === undefined ? undefined : findCommand(name);
  const choices = choicesOf(command);
  const flags = command === undefined ? commonFlags : flagsOfCommand(command);
  const last = before.at(-1)?.replace(/^--/, "") ?? "";
  if (before.at(-1)?.startsWith("--") && flags[last as keyof typeof flags]?.type === "string")
    return wordsOf(choices(last));
  const [, inline] = /^--([\w-]+)=/.exec(current) ?? [];
  if (inline !== undefined) return wordsOf(choices(inline).map((choice) => `--${inline}=${choice}`));
  if (current.startsWith("-"))
    return Object.entries(flags)
      .map(([flag, { description }]): Candidate => ({ word: `--${flag}`, about: description }))
      .filter(({ word }) => !before.includes(word));
  if (name === undefined || (name === "help" && before.at(-1) === "help")) return [...commandWords];
  if (command === undefined) return [];
  const { positionals } = parseArgs({
    args: [...before],
    options: flags,
    strict: false,
    allowPositionals: true,
  });
  const required = command.fields.filter((field) => field.required);
  return wordsOf(required[positionals.length - 1]?.choices ?? []);
}

const commandWords: readonly Candidate[] = [
  ...commands.map(({ name, summary }): Candidate => ({ word: name, about: summary })),
  ...serviceCommandNames.map((word): Candidate => ({ word, about: "On the machine of the service" })),
  { word: "help", about: "Show help" },
];

const choicesOf =
  (command: Command | undefined) =>
  (flag: string): readonly string[] =>
    command?.fields.find((field) => field.flag === flag)?.choices ?? [];

const wordsOf = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, about: "" }));
