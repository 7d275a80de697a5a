import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory as modelFolder } from "../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { join, mediaOf, silence } from "../recordings.ts";
import { textErrorsOf } from "../../src/word-errors.ts";

/** Prompts of a telephone exchange, by which no threshold of the recognizer was set: speech must pass its gates. */
const voices = [
  { language: "en", voice: "en_US_f_Allison", measured: 0.01 },
  { language: "es", voice: "es_MX_f_Allison", measured: 0.23 },
  { language: "fr", voice: "fr_CA_f_June", measured: 0.2 },
  { language: "it", voice: "it_IT_m_Carlo", measured: 0.1 },
] as const;
/** Other processors round otherwise and decide close calls otherwise. */
const tolerance = 0.1;
const promptNames = ["agent-alreadyon", "conf-getpin", "conf-invalid", "vm-options", "vm-dialout", "vm-nobodyavail"];

const folder = (voice: string) => `/usr/share/asterisk/sounds/${voice}`;
const isThere =
  voices.every(({ voice }) => existsSync(folder(voice))) &&
  spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0;

function promptText(language: string, prompt: string): string {
  const list = gunzipSync(
    readFileSync(`/usr/share/doc/asterisk-core-sounds-${language}/core-sounds-${language}.txt.gz`),
  );
  const line = list
    .toString("utf8")
    .split("\n")
    .find((each) => each.startsWith(`${prompt}:`));
  return line?.slice(prompt.length + 1).trim() ?? "";
}

function promptSamples(voice: string, prompt: string): Float32Array {
  const path = `${folder(voice)}/${prompt}.g722`;
  const output = execFileSync(
    "ffmpeg",
    ["-v", "error", "-f", "g722", "-i", path, "-f", "f32le", "-ar", "16000", "pipe:1"],
    { maxBuffer: 64 * 1024 ** 2 },
  );
  return new Float32Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
}

describe.skipIf(!isThere)(
  `speech that set no threshold${isThere ? "" : " (skipped: needs Debian's asterisk-core-sounds-{en,es,fr,it}-g722 and ffmpeg)"}`,
  () => {
    let recognizer: EmbeddedRecognizer;
    beforeAll(async () => {
      recognizer = createEmbeddedRecognizer({ modelDirectory: modelFolder, threads: 1 });
      await recognizer.ready();
    });
    afterAll(async () => {
      await recognizer.close();
    });

    test.each(voices)("prompts in $language are recognized", async ({ language, voice, measured }) => {
      const prompts = promptNames.filter((prompt) => existsSync(`${folder(voice)}/${prompt}.g722`));
      const samples = join(...prompts.flatMap((prompt) => [promptSamples(voice, prompt), silence(1)]));
      const result = await recognizer.recognize(mediaOf(samples), { signal: new AbortController().signal });
      expect(result.language).toBe(language);
      expect(result.gaps).toEqual([]);
      const reference = prompts.map((prompt) => promptText(language, prompt)).join(" ");
      const { wordErrors, words } = textErrorsOf(reference, result.text);
      expect(wordErrors / words).toBeLessThan(measured + tolerance);
    });
  },
);
