const fence = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1/gm;
const inline = /(`+)(.+?)\1/g;
/** At the beginning of a line or behind what may come before a command; in the middle it is an argument of another one. */
const beginning = /(?:^|[|;&(]|\$\s)[ \t]*(?:[A-Z_]+=\S+ )*(?:npx (?:--no-install )?)?(reelscript|npm)(?=\s)(.*)$/gm;
const word = /\s*("[^"]*"|'[^']*'|<[\w-]+>|[^\s"'|;&<>()`#]+)/y;

/** The command lines of ours and of npm in the code of a page, in words. */
export function namedCommands(markdown: string): string[][] {
  const fenced = Array.from(markdown.matchAll(fence), ([, , lines]) => lines!.replaceAll(/\\\n\s*/g, ""));
  const spans = Array.from(markdown.replace(fence, "").matchAll(inline), ([, , code]) => code!);
  return [...spans, ...fenced].flatMap((code) =>
    Array.from(code.matchAll(beginning), ([, program, rest]) => [program!, ...wordsOf(rest!)]),
  );
}

function wordsOf(rest: string): string[] {
  const words: string[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(rest); match !== null; match = word.exec(rest))
    words.push(match[1]!.replace(/^(["'])(.*)\1$/, "$2"));
  return words;
}
