import * as z from "zod";
import { Id, onOne, operation } from "../operation.ts";
import { correctionLimits } from "../values/limits.ts";

const { characters: longestCorrection, segments: mostSegments } = correctionLimits;

const CorrectedSegment = z.object({
  start: z.number().min(0),
  end: z.number().min(0),
  text: z.string().meta({ description: "Current text of the segment; empty if it was removed." }),
  original: z.string().meta({ description: "Text as it was recognized." }),
});

const ScriptCorrection = z.object({
  version: z.int().min(0).meta({ description: "Version of the current texts." }),
  segments: z.array(CorrectedSegment).meta({
    description: "Segments that can be corrected, in order; a transcript without times is one segment.",
  }),
  correctedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Time of the correction; null if nothing is corrected." }),
  outdated: z.boolean().meta({
    description:
      "True if the reel was transcribed again since the correction: `original` is the transcript that was corrected, and removing the correction gives the newer one.",
  }),
});

const overrides = /[\u202A-\u202E\u2066-\u2069]/g;
const unshowable = /[\s\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * Pasted text is full of characters that no subtitle can show: line ends, control characters, direction marks. They are
 * removed.
 */
export const cleanLine = (text: string): string => text.replaceAll(overrides, "").replaceAll(unshowable, " ").trim();

const Line = z.string().max(longestCorrection).overwrite(cleanLine);

const ofScript = { ...onOne("scr"), section: "Library", access: "session", output: ScriptCorrection } as const;
const path = "/scripts/{id}/correction";
const changed = {
  http: { entityTag: { output: "version", ifMatch: "ifVersion" } },
  reasons: ["staleRevision"],
} as const;
const ifVersion = z
  .int()
  .min(0)
  .meta({ description: "The version that you corrected. If it isn't the current one, nothing changes." });

export const getScriptCorrection = operation({
  ...ofScript,
  summary: "Get what can be corrected in a script",
  description: "The segments of a script as they are now and as they were recognized.",
  http: { method: "GET", path, entityTag: { output: "version" } },
});

export const correctScript = operation({
  ...ofScript,
  ...changed,
  summary: "Correct a script",
  description:
    "Saves your own text for the script; the shared transcript doesn't change. `texts` has the text of every segment in order; an empty one is removed. Texts that are all as recognized remove the correction.",
  http: { method: "POST", path, maxBodyBytes: 1_000_000, ...changed.http },
  input: z.strictObject({
    id: Id,
    ifVersion,
    texts: z
      .array(Line)
      .min(1)
      .max(mostSegments)
      .refine((texts) => texts.reduce((sum, { length }) => sum + length, 0) <= longestCorrection, {
        error: `must be at most ${longestCorrection} characters together`,
      }),
  }),
  example: { ...ofScript.example, ifVersion: 17, texts: ["Salt comes first.", "Then we bake the bread."] },
});

export const removeScriptCorrection = operation({
  ...ofScript,
  ...changed,
  summary: "Remove a script's correction",
  description: "Restores the shared transcript, in its current version.",
  http: { method: "DELETE", path, ...changed.http },
  input: z.object({ id: Id, ifVersion: ifVersion.optional() }),
});
