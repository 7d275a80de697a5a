import type { SpokenText } from "../../../ports.ts";
import { isBoolean, isText } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";

export const spokenTextRow = { text: isText, language: isText, truncated: isBoolean };

export const toSpokenText = ({ text, language, truncated }: RowOf<typeof spokenTextRow>): SpokenText => ({
  text,
  language,
  truncated,
});
