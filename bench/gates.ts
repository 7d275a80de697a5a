import type { Needs } from "./report.ts";
import { decodedSamples, joined, openOwnRecognizer, sampleRate as rate, storedReels } from "./speech.ts";
import { numbers } from "./statistics.ts";

/** Harder than the model can handle, so a refusal is the right answer. */
const mayBeRefused = new Set(["hi", "ta", "te", "ar", "id"]);

/** A reel of each kind. */
const smallest = new Set(["en-amiable", "silence"]);

/**
 * Tests the gates against invented and lost text on clips that weren't used to set them: the stand-in's reels, unchanged, and
 * changed in ways that neither turn speech into noise nor noise into speech.
 */
export async function benchGates({ report, extent, threads, started }: Needs): Promise<void> {
  report.section(
    "Gates",
    "Clips without speech must give no text, and clips with speech must not count as silence (a refusal is neither).",
    "The reels did not set the thresholds. Each is heard as it is and changed: quiet, loud and cut; music also backward, faster, in noise.",
  );
  const recognizer = await started(openOwnRecognizer({ threads }));
  const falseTexts: string[] = [];
  const falseEmpties: string[] = [];
  const refusals: string[] = [];
  let silent = 0;
  let spoken = 0;
  const reels = (await storedReels()).filter(({ hasAudio }) => hasAudio);
  for (const reel of extent === "smallest" ? reels.filter(({ name }) => smallest.has(name)) : reels) {
    const samples = await decodedSamples(reel.path);
    const isSpeech = reel.text !== "";
    const variants = isSpeech ? speechVariants(samples) : otherVariants(samples);
    for (const [change, changed] of [["as it is", samples] as Variant, ...(extent === "whole" ? variants : [])]) {
      const { text, language, refusal } = await recognizer.hear(changed);
      const label = `${reel.name} (${change})`;
      if (!isSpeech) {
        silent += 1;
        if (text !== "" || refusal) falseTexts.push(`${label}: ${refusal ?? JSON.stringify(text)} as ${language}`);
        continue;
      }
      spoken += 1;
      if (refusal && !mayBeRefused.has(reel.language)) falseEmpties.push(`${label}: ${refusal} as ${language}`);
      else if (refusal) refusals.push(`${label}: ${refusal} as ${language}`);
      else if (text === "") falseEmpties.push(`${label}: empty`);
    }
  }
  const lists = {
    "text or a refusal without speech": falseTexts,
    "speech lost": falseEmpties,
    "refused in hi, ta, te, ar, id, which the model may": refusals,
  };
  for (const [title, list] of Object.entries(lists)) {
    report.note(`${title}: ${list.length}`);
    for (const one of list) report.note(`  ${one}`);
  }
  report.figures([
    { what: `clips without speech that were not left empty, of ${silent}`, value: falseTexts.length, atMost: 0 },
    { what: `clips with speech of which nothing was kept, of ${spoken}`, value: falseEmpties.length, atMost: 0 },
  ]);
}

type Variant = readonly [string, Float32Array];

const speechVariants = (samples: Float32Array): Variant[] => [
  ["40 dB down", scaled(samples, 0.01)],
  ["clipped", clipped(samples)],
  ["its first 4 s", samples.slice(0, 4 * rate)],
  ["after 5 s of silence", joined(new Float32Array(5 * rate), samples)],
];

const otherVariants = (samples: Float32Array): Variant[] => [
  ["30 dB down", scaled(samples, 0.0316)],
  ["clipped", clipped(samples)],
  ["backward", samples.toReversed()],
  ["a third faster", samples.filter((_, index) => index % 4 !== 3)],
  ["its middle 3 s", samples.slice(samples.length / 2 - 1.5 * rate, samples.length / 2 + 1.5 * rate)],
  ["in white noise", added(samples, 0.02)],
  ["over and over, 45 s", joined(...Array.from({ length: Math.ceil((45 * rate) / samples.length) }, () => samples))],
];

const clipped = (samples: Float32Array): Float32Array => samples.map((value) => Math.max(-1, Math.min(1, value * 8)));
const scaled = (samples: Float32Array, gain: number): Float32Array => samples.map((value) => value * gain);

/** With even noise of that amplitude, the same each time. */
function added(samples: Float32Array, amplitude: number): Float32Array {
  const next = numbers(7);
  return samples.map((value) => value + amplitude * (2 * next() - 1));
}
