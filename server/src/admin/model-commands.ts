import { existsSync } from "node:fs";
import path from "node:path";
import { languageCodes, languages, type Language } from "@reelscript/contract";
import {
  addModel,
  choiceFile,
  chooseModel,
  type DownloadProgress,
  embeddedModelName,
  embeddedModelQuality,
  findModel,
  knownModels,
  listModels,
  readModelChoice,
  WhisperError,
} from "@reelscript/whisper";
import { modelsInUse, withChosenModels } from "../recognition/recognizer-of.ts";
import type { Config } from "../settings/config.ts";
import { openWhisper } from "../start/open-whisper.ts";
import { AdminError } from "./admin-error.ts";
import { clipsIn, measureModel, type Measurement } from "./measure-model.ts";

/** A model for every language without one of its own, and those for single languages, with what decides each. */
interface InUse {
  readonly all: string;
  readonly languages: Readonly<Record<string, string>>;
  /** Settings of the environment that come before what is chosen here. */
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
  /** Whether that was measured with this service. */
  readonly measured: boolean;
}

interface ModelOutputs {
  readonly modelList: { readonly models: readonly ListedModel[]; readonly inUse: InUse };
  readonly modelAdd: {
    readonly name: string;
    readonly directory: string;
    readonly revision: string | null;
    /** Where the checksums came from that the files were checked against. */
    readonly checkedAgainst: "hub" | "folder";
    readonly inUse: InUse;
    readonly usedFor: Language | null;
  };
  readonly modelUse: {
    readonly name: string;
    readonly usedFor: Language | null;
    readonly file: string;
    readonly inUse: InUse;
  };
  readonly modelTest: Measurement;
}

export type ModelCommandName = keyof ModelOutputs;
export type ModelOutput<Name extends ModelCommandName> = ModelOutputs[Name];

export const isModelCommand = (name: string): name is ModelCommandName =>
  ["modelList", "modelAdd", "modelUse", "modelTest"].includes(name);

/** What the commands that concern models need; the service need not run, nor its database. */
export interface ModelAccess {
  readonly config: Config;
  /** Where the paths start that the operator types. */
  readonly workingDirectory: string;
  readonly onDownload: (progress: DownloadProgress) => void;
  /** Told what goes on, for people. */
  readonly say: (message: string) => void;
}

/** Carries out a command on the models of the data directory. Throws `AdminError`. */
export async function runModelCommand<Name extends ModelCommandName>(
  name: Name,
  input: Readonly<Record<string, string>>,
  access: ModelAccess,
): Promise<ModelOutput<Name>> {
  const commands: { readonly [Command in ModelCommandName]: () => Promise<ModelOutput<Command>> } = {
    modelList: () => list(access),
    modelAdd: () => add(access, input["model"] ?? "", readLanguage(input["language"])),
    modelUse: () => use(access, input["model"] ?? "", readLanguage(input["language"])),
    modelTest: () => measure(access, input["model"], readLanguage(input["language"]), input["clips"]),
  };
  try {
    return await commands[name]();
  } catch (error) {
    throw error instanceof WhisperError ? new AdminError("refused", error.message, error) : error;
  }
}

function readLanguage(code: string | undefined): Language | undefined {
  if (code === undefined) return undefined;
  const language = languageCodes.find((one) => one === code);
  if (language !== undefined) return language;
  throw new AdminError("usage", `--language must be one of ${languageCodes.join(", ")}`);
}

async function list({ config }: ModelAccess): Promise<ModelOutput<"modelList">> {
  const [here, inUse] = await Promise.all([listModels(config.dataDirectory), modelsNow(config)]);
  const names = here.map(({ name }) => name);
  const readByEmbedded = languageCodes.filter((language) => embeddedModelQuality[language] !== "unusable");
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
      // Named by a setting: a folder, or a model that the next start downloads.
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
  { config, workingDirectory, onDownload, say }: ModelAccess,
  asked: string,
  language: Language | undefined,
): Promise<ModelOutput<"modelAdd">> {
  const { dataDirectory, transcriber } = config;
  const folder = path.resolve(workingDirectory, asked);
  const isFolder = /^[./\\]/.test(asked) || path.isAbsolute(asked) || existsSync(folder);
  say(isFolder ? `Copying ${folder} …` : `Downloading ${asked} …`);
  const { name, directory, revision } = await addModel(isFolder ? folder : asked, {
    dataDirectory,
    hubUrl: transcriber.kind === "embedded" ? transcriber.hubUrl : undefined,
    onProgress: onDownload,
  });
  if (language !== undefined) await chooseModel(dataDirectory, name, language);
  const inUse = await modelsNow(config);
  const checkedAgainst = isFolder ? "folder" : "hub";
  return { name, directory, revision, checkedAgainst, inUse, usedFor: language ?? null };
}

async function use(
  { config }: ModelAccess,
  name: string,
  language: Language | undefined,
): Promise<ModelOutput<"modelUse">> {
  await mustBeHere(config, name);
  await chooseModel(config.dataDirectory, name, language);
  const inUse = await modelsNow(config);
  return { name, usedFor: language ?? null, file: choiceFile(config.dataDirectory), inUse };
}

async function measure(
  { config, workingDirectory, onDownload, say }: ModelAccess,
  asked: string | undefined,
  language: Language | undefined,
  folder: string | undefined,
): Promise<Measurement> {
  if (folder !== undefined && language === undefined)
    throw new AdminError("usage", "--clips needs --language, the one that is spoken in them");
  const clips = folder === undefined ? undefined : await clipsIn(path.resolve(workingDirectory, folder));
  const { transcriber } = config;
  const endpoint = transcriber.kind === "openai" ? transcriber : transcriber.endpoints[language ?? ""];
  // Endpoints cost money: they hear only what the operator names.
  if (asked === undefined && endpoint !== undefined && clips !== undefined) {
    const open = async () => openWhisper(await withChosenModels(config), { onDownload });
    return measureModel({ name: endpoint.model, threads: 1, language, clips, open, say });
  }
  const { all, languages: own } = await modelsNow(config);
  const name = asked ?? (language === undefined ? all : (own[language] ?? all));
  const model = existsSync(name) && path.isAbsolute(name) ? name : (await mustBeHere(config, name)).directory;
  const { threads, idleSeconds } = transcriber.kind === "embedded" ? transcriber : { threads: 1, idleSeconds: 45 };
  const alone = { kind: "embedded", model, languageModels: {}, endpoints: {}, hubUrl: undefined } as const;
  const only = { ...config, slots: 1, transcriber: { ...alone, threads, idleSeconds } };
  return measureModel({ name, threads, language, clips, open: () => openWhisper(only, { onDownload }), say });
}

async function mustBeHere(config: Config, name: string) {
  return findModel(name, config.dataDirectory).catch((error: unknown) => {
    if (!(error instanceof WhisperError)) throw error;
    const isKnown = knownModels.some((known) => known.name === name);
    throw new AdminError(
      "refused",
      `${error.message} ${isKnown ? `"model add ${name}" downloads it.` : '"model list" shows those that are here, "model add" brings others.'}`,
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

/** "all languages", "Hindi", "all languages but Hindi" or "" for a model that is not in use. */
export function usedForText(name: string, { all, languages: own }: InUse): string {
  const nameOf = (code: string): string => languages[code as Language];
  const single = Object.keys(own).filter((code) => own[code] === name);
  if (name !== all) return single.map(nameOf).join(", ");
  const others = Object.keys(own);
  return others.length === 0 ? "all languages" : `all languages but ${others.map(nameOf).join(", ")}`;
}
