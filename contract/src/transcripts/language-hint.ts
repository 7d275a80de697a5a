import * as z from "zod";
import { languageCodes, supportedLanguage } from "../values/languages.ts";

const shape = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

const anyCase = (code: string): string => code.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
/** What is refined above, for documentation. */
const exactly = `^(${languageCodes.map(anyCase).join("|")})(-[A-Za-z0-9]{1,8})*$`;

export const LanguageHint = z
  .string()
  .max(35)
  .refine((code) => shape.test(code) && supportedLanguage(code) !== undefined, {
    error: `must be one of ${languageCodes.join(", ")}, with or without a region such as ta-IN`,
  })
  .meta({
    description: `BCP-47 code of the spoken language: ${languageCodes.join(", ")}, with or without a region. Improves accuracy for non-English audio. Omit to auto-detect.`,
    pattern: exactly,
    examples: ["en", "ta-IN"],
  });
