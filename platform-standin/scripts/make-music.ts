import { runTool } from "./run-tool.ts";

const rate = 44_100;
const chords = [
  [57, 60, 64],
  [53, 57, 60],
  [48, 52, 55],
  [55, 59, 62],
] as const;
const melody = [69, 72, 76, 74, 72, 69, 67, 64, 69, 71, 72, 76, 79, 76, 74, 72];

/** Repeats the same numbers, so that a rebuilt reel sounds the same. */
function makeNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2_147_483_648 - 1;
  };
}

const frequencyOf = (note: number): number => 440 * 2 ** ((note - 69) / 12);

/**
 * Writes an instrumental of four chords, a plucked tune and drums, built from sines and noise so that nobody owns it. `file` is
 * a WAV file.
 */
/** The music mixed under a reel. */
export interface Music {
  readonly seconds: number;
  /** 96 by default. */
  readonly beatsPerMinute?: number;
  readonly hasDrums?: boolean;
}

export function makeMusic(file: string, { seconds, beatsPerMinute = 96, hasDrums = true }: Music): void {
  const samples = new Float64Array(Math.round(seconds * rate));
  const noise = makeNoise(7);
  const beat = 60 / beatsPerMinute;

  /** Adds `valueAt`, which takes seconds, for `length` seconds beginning at `start`. */
  function add(start: number, length: number, valueAt: (time: number) => number): void {
    const first = Math.round(start * rate);
    const last = Math.min(first + Math.ceil(length * rate), samples.length);
    for (let at = first; at < last; at += 1) samples[at]! += valueAt((at - first) / rate);
  }
  function addNote(start: number, length: number, note: number, volume: number, decay: number): void {
    const frequency = frequencyOf(note);
    add(start, Math.round(length * rate) / rate, (time) => {
      const envelope = Math.min(1, time * 60) * Math.exp(-time * decay);
      const phase = 2 * Math.PI * frequency * time;
      return volume * envelope * (Math.sin(phase) + 0.35 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase));
    });
  }
  const addKick = (start: number): void =>
    add(start, 0.25, (time) => {
      const phase = 2 * Math.PI * (45 * time + (110 / 30) * (1 - Math.exp(-30 * time)));
      return 0.5 * Math.exp(-time * 14) * Math.sin(phase);
    });
  function addHat(start: number, volume: number): void {
    let previous = 0;
    add(start, 0.06, (time) => {
      const value = noise();
      const difference = value - previous;
      previous = value;
      return volume * Math.exp(-time * 70) * difference;
    });
  }

  for (let index = 0; index * beat < seconds; index += 1) {
    const at = index * beat;
    if (index % 4 === 0) {
      const chord = chords[(index / 4) % 4]!;
      for (const note of chord) addNote(at, beat * 4, note, 0.09, 0.5);
      addNote(at, beat * 4, chord[0] - 24, 0.14, 0.8);
    }
    addNote(at, beat, melody[index % 16]!, 0.12, 4);
    if (index % 3 === 1) addNote(at + beat / 2, beat, melody[(index + 5) % 16]! + 12, 0.05, 6);
    if (!hasDrums) continue;
    if (index % 2 === 0) addKick(at);
    addHat(at, 0.05);
    addHat(at + beat / 2, 0.09);
  }
  const whole = Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_000));
  const parameters = `-v error -y -f s16le -ar ${rate} -ac 1 -i -`.split(" ");
  runTool("ffmpeg", [...parameters, file], new Uint8Array(whole.buffer));
}
