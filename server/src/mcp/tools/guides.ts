import { operations } from "@reelscript/contract";
import { compactText } from "./compact-text.ts";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

interface GuideInput {
  readonly query?: string;
  readonly category?: string;
  readonly limit: number;
  readonly body: boolean;
}

interface GuideTitle {
  readonly slug: string;
  readonly title: string;
}

interface GuideContent {
  readonly guides: readonly GuideTitle[];
  readonly total: number;
}

type Guides = OutputOf<"listGuides">;

/** The operation's own maximum: titles cost little. */
const listedTitles = 50;

export const findGuide: ToolShape<Guides, GuideInput, GuideContent> = {
  call: (input) => ({
    operation: "listGuides",
    input: listsTitles(input) ? { ...input, limit: listedTitles } : input,
  }),
  answer: {
    schema: operations.listGuides.output,
    from: (output, input) =>
      listsTitles(input)
        ? { guides: output.guides.map(({ slug, title }) => ({ slug, title })), total: output.total }
        : output,
  },
  text(content, input) {
    if (content.total === 0) return nothingFound(input);
    if (listsTitles(input)) return content.guides.map(({ slug, title }) => `${slug}: ${title}`).join("\n");
    return compactText({ ...content });
  },
};

/** Without a query there is nothing but titles to choose by. */
const listsTitles = ({ query, body }: GuideInput): boolean => query === undefined && !body;

const nothingFound = ({ query, category }: GuideInput): string =>
  `No guide${category === undefined ? "" : ` in ${category}`} is about "${query ?? ""}". Call find_guide without a query for all titles.`;
