import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { MediaDecoder } from "../decoded-media.ts";
import { voiceDetectorFile } from "../embedded-model.ts";
import { openSession } from "../recognition/decoder/onnx-files.ts";
import { WhisperModel } from "../recognition/decoder/whisper-model.ts";
import { spokenFrames } from "../recognition/heads/spoken-frames.ts";
import { VoiceDetector } from "../recognition/signal/voice-detector.ts";
import { SpeechTimeline } from "../recognition/speech-timeline.ts";
import { encoderSeconds } from "../recognition/speech-window.ts";
import { toHalf } from "./half-floats.ts";

/** A recording of one sentence or a few, at most 30 s of speech, and what is said in it. */
export interface SpokenClip {
  readonly file: string;
  /** Name of the speaker; `undefined` where nobody says. */
  readonly speaker: string | undefined;
  readonly text: string;
}

interface ClipStatesOptions {
  readonly decoder: MediaDecoder;
  readonly modelDirectory: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

/**
 * Writes what the encoder hears in each clip, as the service would hear it: leveled, without long pauses. `out` gets `clips.tsv` (id, speaker,
 * frames, text) and for each of its lines a file `<id>.f16` of float16, frame after frame. Clips without speech are left
 * out. Returns the seconds of speech. Throws `WhisperError`.
 */
export async function writeClipStates(
  clips: readonly SpokenClip[],
  out: string,
  { decoder, modelDirectory, threads, signal }: ClipStatesOptions,
): Promise<number> {
  await mkdir(out, { recursive: true });
  const model = await WhisperModel.load(modelDirectory, threads);
  const detector = new VoiceDetector(await openSession(voiceDetectorFile, 1));
  const lines = ["id\tspeaker\tframes\ttext"];
  let seconds = 0;
  for (const [index, { file, speaker, text }] of clips.entries()) {
    signal.throwIfAborted();
    const timeline = new SpeechTimeline(detector);
    const { samples } = decoder.decode(file, { maxSeconds: encoderSeconds, signal });
    for await (const chunk of samples) timeline.append(chunk);
    timeline.finish();
    const window = await timeline.nextWindow(0, encoderSeconds, signal);
    if (window) {
      const clip = timeline.samples(window);
      const states = await model.states(clip);
      const [, all = 0, width = 0] = states.dims;
      const frames = Math.min(all, spokenFrames(clip.length));
      const id = `clip-${index + 1}`;
      await writeFile(path.join(out, `${id}.f16`), toHalf((states.data as Float32Array).subarray(0, frames * width)));
      lines.push([id, speaker ?? "-", frames, text.trim().replaceAll(/\s+/gu, " ")].join("\t"));
      seconds += window.length;
    }
  }
  await model.release();
  await writeFile(path.join(out, "clips.tsv"), `${lines.join("\n")}\n`);
  return seconds;
}
