import { existsSync } from "node:fs";
import path from "node:path";
import { languageCodes, languages, type Language } from "@reelscript/contract";
import {
  addModel,
  choiceFile,
  chooseModel,
  embeddedModelName,
  embeddedModelQuality,
  findModel,
  knownModels,
  listModels,
  readModelChoice,
  WhisperError,
} from "@reelscript/whisper";
import * as z from "zod";
import { modelsInUse, withChosenModels } from "../recognition/recognizer-of.ts";
import type { Config } from "../settings/config.ts";
import { openWhisper } from "../start/open-whisper.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable, field, localCommand, type CommandAccess } from "./command.ts";
import { readLanguage } from "./read-language.ts";
import { trainHeadCommand } from "./train-head-command.ts";
import { clipsIn, measureModel, measurementText, namesOf, type Measurement } from "./measure-model.ts";

/**
 * The model for every language without its own, and those for single languages, each with the setting or command that chose it.
 */
interface InUse {
  readonly all: string;
  readonly languages: Readonly<Record<string, string>>;
  /** Settings of the environment, which override the choices made here. */
  readonly settings: readonly string[];
}

interface ListedModel {
  readonly name: string;
  readonly state: "embedded" | "installed" | "known" | "folder";
  /** `null` when it is not known. */
  readonly bytes: number | null;
  readonly bytesEstimated: boolean;
  readonly revision: string | null;
  /** Codes of the languages that it reads. */
  readonly languages: readonly Language[];
  /** True if the languages were measured with this service. */
  readonly measured: boolean;
}

const modelNameHelp =
  "A name of the model hub such as owner/name (or owner/name@revision), as model list shows them, or a folder";
const language = (description: string) => field("code", description, z.string().optional());

export const modelCommands = [
  localCommand({
    words: "model list",
    summary: "List the speech models: those on this machine, which is in use, and larger ones to add",
    fields: {},
    example: "model list",
    run: (_input, { config }) => list(config),
    text: ({ models, inUse }) =>
      [
        alignedTable(
          ["NAME", "SIZE", "STATE", "READS", "USED FOR"],
          models.map((model) => [
            model.name,
            sizeOf(model),
            model.state === "known" ? "to add" : model.state,
            readsOf(model),
            usedForText(model.name, inUse),
          ]),
        ),
        ...notesOn(inUse),
      ].join("\n"),
  }),
  localCommand({
    words: "model add",
    summary: "Download a Whisper from the model hub, or copy one from a folder; its name is alone on the last line",
    fields: {
      model: field("model", modelNameHelp, z.string()),
      language: language("Use it for this language from the next start on"),
    },
    operand: "model",
    example: "model add onnx-community/whisper-small",
    run: ({ model, language: code }, access) => add(access, model, readLanguage(code)),
    text: ({ name, directory, revision, checkedAgainst, usedFor, inUse }) =>
      [
        `Folder    ${directory}`,
        ...(revision === null ? [] : [`Revision  ${revision}`]),
        checkedAgainst === "hub"
          ? "Checked   each file against the checksum that the hub states; this project ships none for it"
          : "Checked   the layout; the copies' checksums are kept in download.json",
        usedFor === null
          ? `Next      reelscript model test ${name}, then reelscript model use ${name}`
          : `Used for  ${languages[usedFor]}, from the next start of the service on`,
        ...notesOn(inUse),
        "",
        name,
      ].join("\n"),
  }),
  localCommand({
    words: "model use",
    summary: "Use a model from the next start on; whisper-base is the embedded one",
    fields: {
      model: field("model", "A model on this machine, as model list shows it", z.string()),
      language: language("For this language only; otherwise for every language without a model of its own"),
    },
    operand: "model",
    example: "model use whisper-base",
    async run({ model: name, language: code }, { config }) {
      const language = readLanguage(code);
      await mustBeHere(config, name);
      await chooseModel(config.dataDirectory, name, language);
      const inUse = await modelsNow(config);
      return { name, usedFor: language ?? null, file: choiceFile(config.dataDirectory), inUse };
    },
    text: ({ name, usedFor, inUse }) =>
      [
        `${name} is chosen for ${usedFor === null ? "all languages" : languages[usedFor]}, from the next start of the service on.`,
        ...(usedFor === null && Object.keys(inUse.languages).length > 0
          ? [`Languages with a model of their own keep it: ${ownOf(inUse)}.`]
          : []),
        ...notesOn(inUse),
      ].join("\n"),
  }),
  localCommand({
    words: "model test",
    summary: "Measure a model's speed, memory and wrong words, with the included reels or your own clips",
    fields: {
      model: field("model", "A model on this machine; the one in use unless given", z.string().optional()),
      language: language("Measure with this language only"),
      clips: field("folder", "Sound files, each with its text, such as one.m4a and one.txt", z.string().optional()),
    },
    operand: "model",
    example: "model test onnx-community/whisper-small --language hi --clips clips",
    run: ({ model, language: code, clips }, access) => measure(access, model, readLanguage(code), clips),
    text: measurementText,
  }),
  trainHeadCommand,
];

async function list(config: Config) {
  const [here, inUse] = await Promise.all([listModels(config.dataDirectory), modelsNow(config)]);
  const names = here.map(({ name }) => name);
  const readByEmbedded = languageCodes.filter(
    (language) => !["unreliable", "unusable"].includes(embeddedModelQuality[language]),
  );
  const elsewhere = [inUse.all, ...Object.values(inUse.languages)].filter(
    (name, index, all) => !names.includes(name) && all.indexOf(name) === index,
  );
  return {
    inUse,
    models: [
      ...here.map(({ name, bytes, revision }): ListedModel => {
        const isEmbedded = name === embeddedModelName;
        return {
          name,
          state: isEmbedded ? "embedded" : "installed",
          bytes,
          bytesEstimated: false,
          revision,
          languages: isEmbedded ? readByEmbedded : languageCodes,
          measured: isEmbedded,
        };
      }),
      // Comes from a setting: a folder, or a model that the next start downloads.
      ...elsewhere.map((name): ListedModel => ({ ...unmeasured(name), state: existsSync(name) ? "folder" : "known" })),
      ...knownModels
        .filter(({ name }) => !names.includes(name) && !elsewhere.includes(name))
        .map(({ name, estimatedBytes }): ListedModel => ({ ...unmeasured(name), bytes: estimatedBytes })),
    ],
  };
}

const unmeasured = (name: string): ListedModel => ({
  name,
  state: "known",
  bytes: null,
  bytesEstimated: true,
  revision: null,
  languages: languageCodes,
  measured: false,
});

async function add(
  { config, workingDirectory, onDownload, say }: CommandAccess,
  nameOrFolder: string,
  language: Language | undefined,
) {
  const { dataDirectory, transcriber } = config;
  const folder = path.resolve(workingDirectory, nameOrFolder);
  const isFolder = /^[./\\]/.test(nameOrFolder) || path.isAbsolute(nameOrFolder) || existsSync(folder);
  say(isFolder ? `Copying ${folder} …` : `Downloading ${nameOrFolder} …`);
  const { name, directory, revision } = await addModel(isFolder ? folder : nameOrFolder, {
    dataDirectory,
    hubUrl: transcriber.kind === "embedded" ? transcriber.hubUrl : undefined,
    onProgress: onDownload,
  });
  if (language !== undefined) await chooseModel(dataDirectory, name, language);
  const inUse = await modelsNow(config);
  const checkedAgainst = isFolder ? "folder" : "hub";
  return { name, directory, revision, checkedAgainst, inUse, usedFor: language ?? null };
}

async function measure(
  { config, workingDirectory, onDownload, say }: CommandAccess,
  requestedModel: string | undefined,
  spoken: Language | undefined,
  folder: string | undefined,
): Promise<Measurement> {
  if (folder !== undefined && spoken === undefined)
    throw new AdminError("usage", "--clips needs --language, the one that is spoken in them");
  const clips = folder === undefined ? undefined : await clipsIn(path.resolve(workingDirectory, folder));
  const { transcriber } = config;
  const endpoint = transcriber.kind === "openai" ? transcriber : transcriber.endpoints[spoken ?? ""];
  // Endpoints cost money, so only recordings that the operator names are sent to them.
  if (requestedModel === undefined && endpoint !== undefined && clips !== undefined) {
    const open = async () => openWhisper(await withChosenModels(config), { onDownload });
    return measureModel({ name: endpoint.model, threads: 1, language: spoken, clips, open, say });
  }
  const { all, languages: languageModels } = await modelsNow(config);
  const name = requestedModel ?? (spoken === undefined ? all : (languageModels[spoken] ?? all));
  const model = existsSync(name) && path.isAbsolute(name) ? name : (await mustBeHere(config, name)).directory;
  const { threads, idleSeconds } = transcriber.kind === "embedded" ? transcriber : { threads: 1, idleSeconds: 45 };
  const alone = { kind: "embedded", model, languageModels: {}, heads: {}, endpoints: {}, hubUrl: undefined } as const;
  const only = { ...config, slots: 1, transcriber: { ...alone, threads, idleSeconds } };
  return measureModel({ name, threads, language: spoken, clips, open: () => openWhisper(only, { onDownload }), say });
}

async function mustBeHere(config: Config, name: string) {
  return findModel(name, config.dataDirectory).catch((error: unknown) => {
    if (!(error instanceof WhisperError)) throw error;
    const isKnown = knownModels.some((knownModel) => knownModel.name === name);
    throw new AdminError(
      "refused",
      `${error.message} ${isKnown ? `"model add ${name}" downloads it.` : '"model list" shows the installed ones, "model add" installs others.'}`,
      error,
    );
  });
}

async function modelsNow({ transcriber, dataDirectory }: Config): Promise<InUse> {
  const choice = await readModelChoice(dataDirectory);
  if (transcriber.kind !== "embedded") {
    const { model, languageModels } = modelsInUse({ model: undefined, languageModels: {}, endpoints: {} }, choice);
    return { all: model ?? embeddedModelName, languages: languageModels, settings: ["TRANSCRIBER"] };
  }
  const { model, languageModels } = modelsInUse(transcriber, choice);
  const settings = [
    ...(transcriber.model === undefined ? [] : ["WHISPER_MODEL"]),
    ...Object.keys(transcriber.languageModels).map((code) => `WHISPER_MODEL_${code.toUpperCase()}`),
    ...Object.keys(transcriber.endpoints).map((code) => `TRANSCRIBER_${code.toUpperCase()}`),
  ];
  return { all: model ?? embeddedModelName, languages: languageModels, settings };
}

/** "all languages", "Hindi", "all languages but Hindi" or "" for an unused model. */
function usedForText(name: string, { all, languages: languageModels }: InUse): string {
  const nameOf = (code: string): string => languages[code as Language];
  const single = Object.keys(languageModels).filter((code) => languageModels[code] === name);
  if (name !== all) return single.map(nameOf).join(", ");
  const others = Object.keys(languageModels);
  return others.length === 0 ? "all languages" : `all languages but ${others.map(nameOf).join(", ")}`;
}

function sizeOf({ bytes, bytesEstimated }: ListedModel): string {
  if (bytes === null) return "?";
  const size = bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
  return bytesEstimated ? `about ${size}` : size;
}

function readsOf({ languages: read, measured }: ListedModel): string {
  if (!measured) return "not measured here";
  const unread = languageCodes.filter((code) => !read.includes(code));
  return unread.length === 0 ? "all languages" : `all languages but ${namesOf(unread)}`;
}

function notesOn({ settings }: InUse): string[] {
  if (settings.length === 0) return [];
  if (settings.includes("TRANSCRIBER"))
    return ["", "TRANSCRIBER=openai is set: an endpoint recognizes speech, and none of these models is used."];
  return ["", `${settings.join(", ")}: set in the environment, which overrides the choice made here.`];
}

const ownOf = ({ languages: languageModels }: InUse): string =>
  Object.entries(languageModels)
    .map(([code, name]) => `${languages[code as Language]} (${name})`)
    .join(", ");
