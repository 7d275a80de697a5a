import { languageCodes, languages, type Language } from "@reelscript/contract";
import { alignedTable } from "./admin-text.ts";
import { type ModelCommandName, type ModelOutput, usedForText } from "./model-commands.ts";

type Texts = { readonly [Name in ModelCommandName]: (answer: ModelOutput<Name>) => string };
type InUse = ModelOutput<"modelList">["inUse"];
type Listed = ModelOutput<"modelList">["models"][number];

const texts: Texts = {
  modelList: ({ models, inUse }) =>
    [
      alignedTable(
        ["NAME", "SIZE", "STATE", "READS", "USED FOR"],
        models.map((model) => [
          model.name,
          sizeOf(model),
          stateOf(model),
          readsOf(model),
          usedForText(model.name, inUse),
        ]),
      ),
      ...notesOn(inUse),
    ].join("\n"),
  modelAdd: ({ name, directory, revision, checkedAgainst, usedFor, inUse }) =>
    [
      `Folder    ${directory}`,
      ...(revision === null ? [] : [`Revision  ${revision}`]),
      checkedAgainst === "hub"
        ? "Checked   each file against the checksum that the hub states; this project ships none for it"
        : "Checked   the layout; the copies' checksums are kept in download.json",
      ...(usedFor === null
        ? [`Next      reelscript model test ${name}, then reelscript model use ${name}`]
        : [`Used for  ${languages[usedFor]}, from the next start of the service on`]),
      ...notesOn(inUse),
      "",
      name,
    ].join("\n"),
  modelUse: ({ name, usedFor, inUse }) =>
    [
      `${name} is chosen for ${usedFor === null ? "all languages" : languages[usedFor]}, from the next start of the service on.`,
      ...(usedFor === null && Object.keys(inUse.languages).length > 0
        ? [`Languages with a model of their own keep it: ${ownOf(inUse)}.`]
        : []),
      ...notesOn(inUse),
    ].join("\n"),
  modelTest: ({ model, threads, realTimeFactor, audioSeconds, peakMemoryBytes, languages: rows, withoutPeople }) =>
    [
      `Model   ${model}`,
      `Speed   ${realTimeFactor ?? "?"} s for a second of audio (${audioSeconds} s heard, ${threads} ${threads === 1 ? "thread" : "threads"})`,
      `Memory  ${peakMemoryBytes === null ? "not known on this system" : `${Math.round(peakMemoryBytes / 1e6)} MB at most`}`,
      "",
      alignedTable(
        ["LANGUAGE", "CLIPS", "REFUSED", "WRONG WORDS", "CHARACTERS", ""],
        rows.map(({ language, clips, refused, wordErrorPercent, characterErrorPercent, synthesized }) => [
          languages[language],
          String(clips),
          String(refused),
          `${wordErrorPercent}%`,
          `${characterErrorPercent}%`,
          synthesized ? "a machine's voice" : "",
        ]),
      ),
      ...(withoutPeople.length === 0
        ? []
        : ["", `No clips of people come along for ${namesOf(withoutPeople)}: try reels of your own.`]),
    ].join("\n"),
};

/** The answer of a command for people. */
export const modelText = <Name extends ModelCommandName>(name: Name, answer: ModelOutput<Name>): string =>
  texts[name](answer);

function sizeOf({ bytes, bytesEstimated }: Listed): string {
  if (bytes === null) return "?";
  const size = bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
  return bytesEstimated ? `about ${size}` : size;
}

const stateOf = ({ state }: Listed): string => (state === "known" ? "to add" : state);

function readsOf({ languages: read, measured }: Listed): string {
  if (!measured) return "not measured here";
  const unread = languageCodes.filter((code) => !read.includes(code));
  return unread.length === 0 ? "all languages" : `all languages but ${namesOf(unread)}`;
}

function notesOn({ settings }: InUse): string[] {
  if (settings.length === 0) return [];
  if (settings.includes("TRANSCRIBER"))
    return ["", "TRANSCRIBER=openai is set: an endpoint recognizes speech, and none of these models is used."];
  return ["", `${settings.join(", ")}: set in the environment, and comes before what is chosen here.`];
}

const ownOf = ({ languages: own }: InUse): string =>
  Object.entries(own)
    .map(([code, name]) => `${languages[code as Language]} (${name})`)
    .join(", ");

const namesOf = (codes: readonly Language[]): string => codes.map((code) => languages[code]).join(", ");
