import path from "node:path";
import { unavailable } from "../../whisper-error.ts";
import { isJsonObject, isTokenId, type JsonObject, readJsonObject, tokenIds, tokenMap } from "./json-fields.ts";

/** Token ids and rules, from the text files of a Whisper model. */
export interface Specification {
  readonly startOfTranscript: number;
  readonly endOfText: number;
  readonly transcribe: number;
  /** `undefined` for models that don't translate. */
  readonly translate: number | undefined;
  /** Its probability after the first token tells how likely nobody speaks. */
  readonly noSpeech: number;
  readonly noTimestamps: number;
  /** Token of 0.00 s; each further token is 0.02 s later. */
  readonly firstTimestamp: number;
  /** Latest timestamp a window may begin with, counted from `firstTimestamp`. */
  readonly latestFirstTimestamp: number;
  /** Language subtag to its token, in the model's order. */
  readonly languages: ReadonlyMap<string, number>;
  /** Never chosen. */
  readonly suppressed: readonly number[];
  /** Most tokens of a window. */
  readonly longestText: number;
  /** Most tokens that the decoder can be fed, the prompt included. */
  readonly longestInput: number;
  /** Heads that listen where the word is said that they write; empty when the files don't name them. */
  readonly alignmentHeads: readonly AlignmentHead[];
}

interface AlignmentHead {
  readonly layer: number;
  readonly head: number;
}

const defaultLatestFirstTimestamp = 50;
const promptTokens = 4;
const defaultPositions = 448;
const mostAlignmentHeads = 64;

/** Reads `generation_config.json`, `config.json` and `tokenizer.json` of a model directory. Throws `WhisperError`. */
export async function readSpecification(directory: string): Promise<Specification> {
  const [generation, config, tokenizer] = await Promise.all(
    ["generation_config.json", "config.json", "tokenizer.json"].map((name) =>
      readJsonObject(path.join(directory, name)),
    ),
  );
  if (!config) throw unavailable(`There is no config.json in ${directory}: not a Whisper model.`);
  if (config["model_type"] !== "whisper")
    throw unavailable(`The model in ${directory} is a ${String(config["model_type"])}, not a Whisper.`);

  const settings = { ...config, ...generation };
  const added = addedTokens(tokenizer);
  const need = (name: string, ...candidates: readonly unknown[]): number => {
    const id = candidates.find(isTokenId);
    if (id === undefined) throw unavailable(`The files in ${directory} do not tell the token ${name}.`);
    return id;
  };
  const languages = readLanguages(settings, added);
  if (languages.size < 2)
    throw unavailable(`The model in ${directory} knows no languages: an English-only Whisper is not enough.`);

  const noTimestamps = need("<|notimestamps|>", settings["no_timestamps_token_id"], added.get("<|notimestamps|>"));
  const tasks = tokenMap(settings["task_to_id"]);
  const positions = settings["max_target_positions"];
  const longestInput = isTokenId(positions) ? positions : defaultPositions;
  return {
    startOfTranscript: need(
      "<|startoftranscript|>",
      settings["decoder_start_token_id"],
      added.get("<|startoftranscript|>"),
    ),
    endOfText: need("<|endoftext|>", settings["eos_token_id"], added.get("<|endoftext|>")),
    transcribe: need("<|transcribe|>", tasks.get("transcribe"), added.get("<|transcribe|>")),
    translate: [tasks.get("translate"), added.get("<|translate|>")].find(isTokenId),
    // Named in no settings file; it comes right before <|notimestamps|> in every multilingual Whisper.
    noSpeech: need("<|nospeech|>", added.get("<|nospeech|>"), added.get("<|nocaptions|>"), noTimestamps - 1),
    noTimestamps,
    firstTimestamp: noTimestamps + 1,
    latestFirstTimestamp: need("offset", settings["max_initial_timestamp_index"], defaultLatestFirstTimestamp),
    languages,
    suppressed: [...new Set([...(tokenIds(settings["suppress_tokens"]) ?? []), ...languages.values(), noTimestamps])],
    longestText: Math.floor(longestInput / 2) - promptTokens,
    longestInput,
    alignmentHeads: readAlignmentHeads(settings["alignment_heads"]),
  };
}

function addedTokens(tokenizer: JsonObject | undefined): ReadonlyMap<string, number> {
  const added = tokenizer?.["added_tokens"];
  if (!Array.isArray(added)) return new Map();
  return new Map(
    added.flatMap((token: unknown): [string, number][] =>
      isJsonObject(token) && typeof token["content"] === "string" && isTokenId(token["id"])
        ? [[token["content"], token["id"]]]
        : [],
    ),
  );
}

function readAlignmentHeads(value: unknown): readonly AlignmentHead[] {
  if (!Array.isArray(value) || value.length > mostAlignmentHeads) return [];
  return value.flatMap((pair: unknown) => {
    const [layer, head] = tokenIds(pair) ?? [];
    return layer === undefined || head === undefined ? [] : [{ layer, head }];
  });
}

/** Language tokens are written `<|en|>`; the older files name them among the added tokens only. */
function readLanguages(settings: JsonObject, added: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const languageTokens = tokenMap(settings["lang_to_id"]);
  const languages = new Map<string, number>();
  for (const [token, id] of languageTokens.size > 0 ? languageTokens : added) {
    const subtag = /^<\|([a-z]{2,3})\|>$/.exec(token)?.[1];
    if (subtag) languages.set(subtag, id);
  }
  return languages;
}
