import type { Output } from "../operation-types.ts";
import type { Page } from "./page.ts";
import { wrapText } from "./text.ts";

/** Each guide with its summary; with its text where the answer has it. */
export function guideList(guides: Output<"listGuides">["guides"], page: Page): string {
  return guides
    .map(({ slug, title, summary, readingMinutes, bodyMarkdown }) =>
      [
        `${page.bold(title)}  ${page.dim(`${slug}, ${readingMinutes} min`)}`,
        ...wrapText(summary, page.width - 2).map((line) => `  ${line}`),
        ...(bodyMarkdown === undefined ? [] : ["", guideText(bodyMarkdown, page)]),
      ].join("\n"),
    )
    .join("\n\n");
}

/** Markdown as it is, but for bold headings and lines that fit; code and tables are left alone. */
export function guideText(bodyMarkdown: string, page: Page): string {
  let isCode = false;
  return bodyMarkdown
    .trimEnd()
    .split("\n")
    .map((line) => {
      const isFence = line.startsWith("```");
      if (isFence) isCode = !isCode;
      if (isFence || isCode || line.startsWith("|")) return line;
      return /^#+ /.test(line) ? page.bold(line) : wrapText(line, page.width).join("\n");
    })
    .join("\n");
}
