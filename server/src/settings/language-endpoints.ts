import * as z from "zod";
import { languageModels } from "./environment-settings.ts";

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

type Given = Readonly<Record<string, string | undefined>>;

const url = z.url({ protocol: /^https?$/ });

/** The endpoints of single languages, by primary subtag, as `TRANSCRIBER_HI=openai` and its companions name them. */
export const languageEndpoints = (given: Given): Readonly<Record<string, Endpoint>> =>
  Object.fromEntries(
    languageModels
      .filter((code) => given[`TRANSCRIBER_${code}`] !== undefined)
      .map((code) => [
        code.toLowerCase(),
        {
          baseUrl: given[`OPENAI_BASE_URL_${code}`]!,
          apiKey: given[`OPENAI_API_KEY_${code}`]!,
          model: given[`OPENAI_MODEL_${code}`] ?? "whisper-1",
        },
      ]),
  );

export const wrongLanguageEndpoints = (given: Given): string[] =>
  languageModels.flatMap((code) => wrongOf(code, given));

function wrongOf(code: string, given: Given): string[] {
  const name = `TRANSCRIBER_${code}`;
  const address = `OPENAI_BASE_URL_${code}`;
  const key = `OPENAI_API_KEY_${code}`;
  const kind = given[name];
  if (kind === undefined)
    return [address, key, `OPENAI_MODEL_${code}`]
      .filter((companion) => given[companion] !== undefined)
      .map((companion) => `${companion}: has no effect without ${name}=openai; set both, or neither`);
  if (kind !== "openai") return [`${name}: can only be openai; unset it to recognize here (it is "${kind}")`];
  return [
    ...(given["TRANSCRIBER"] === "openai"
      ? [`${name}: TRANSCRIBER=openai sends every language to its endpoint; unset one of them`]
      : []),
    ...(given[`WHISPER_MODEL_${code}`] === undefined
      ? []
      : [`WHISPER_MODEL_${code}: ${name}=openai sends this language to an endpoint; unset one of them`]),
    ...(url.safeParse(given[address]).success
      ? []
      : [`${address}: ${name}=openai needs the endpoint's base URL, such as https://api.example/v1`]),
    ...(given[key] === undefined ? [`${key}: ${name}=openai needs the endpoint's key`] : []),
  ];
}
