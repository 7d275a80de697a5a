/** Classes of scripts by the seconds of audio at which they start, shortest first. */
const scriptLengths = {
  under30s: { from: 0 },
  "30to60s": { from: 30 },
  "1to3min": { from: 60 },
  over3min: { from: 180 },
} as const;

export type ScriptLength = keyof typeof scriptLengths;

export const scriptLengthNames = Object.keys(scriptLengths) as ScriptLength[];

export const scriptLengthOf = (seconds: number): ScriptLength =>
  scriptLengthNames.findLast((name) => seconds >= scriptLengths[name].from) ?? "under30s";
