const rate = 44100;

/** Tells the same numbers every time, so that a rebuilt reel sounds the same. */
function makeNoise(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2147483648 - 1;
  };
}

function toWav(samples) {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples.length * 2, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length * 2, 40);
  const body = Buffer.alloc(samples.length * 2);
  samples.forEach((value, index) => body.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32000), index * 2));
  return Buffer.concat([header, body]);
}

const frequencyOf = (note) => 440 * 2 ** ((note - 69) / 12);

function addNote(samples, start, seconds, note, volume, decay) {
  const frequency = frequencyOf(note);
  const first = Math.round(start * rate);
  const count = Math.min(Math.round(seconds * rate), samples.length - first);
  for (let index = 0; index < count; index += 1) {
    const time = index / rate;
    const envelope = Math.min(1, time * 60) * Math.exp(-time * decay);
    const phase = 2 * Math.PI * frequency * time;
    samples[first + index] +=
      volume * envelope * (Math.sin(phase) + 0.35 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase));
  }
}

function addKick(samples, start) {
  const first = Math.round(start * rate);
  for (let index = 0; index < 0.25 * rate && first + index < samples.length; index += 1) {
    const time = index / rate;
    const phase = 2 * Math.PI * (45 * time + (110 / 30) * (1 - Math.exp(-30 * time)));
    samples[first + index] += 0.5 * Math.exp(-time * 14) * Math.sin(phase);
  }
}

function addHat(samples, start, noise, volume) {
  const first = Math.round(start * rate);
  let previous = 0;
  for (let index = 0; index < 0.06 * rate && first + index < samples.length; index += 1) {
    const value = noise();
    samples[first + index] += volume * Math.exp((-index / rate) * 70) * (value - previous);
    previous = value;
  }
}

const chords = [
  [57, 60, 64],
  [53, 57, 60],
  [48, 52, 55],
  [55, 59, 62],
];
const melody = [69, 72, 76, 74, 72, 69, 67, 64, 69, 71, 72, 76, 79, 76, 74, 72];

/** An instrumental of four chords, a plucked tune and drums, made of sines and noise: nobody's music. */
export function makeMusic({ seconds, beatsPerMinute = 96, drums = true, tune = true }) {
  const samples = new Float64Array(Math.round(seconds * rate));
  const noise = makeNoise(7);
  const beat = 60 / beatsPerMinute;
  for (let index = 0; index * beat < seconds; index += 1) {
    const at = index * beat;
    if (index % 4 === 0) {
      for (const note of chords[(index / 4) % 4]) addNote(samples, at, beat * 4, note, 0.09, 0.5);
      addNote(samples, at, beat * 4, chords[(index / 4) % 4][0] - 24, 0.14, 0.8);
    }
    if (tune) {
      addNote(samples, at, beat, melody[index % 16], 0.12, 4);
      if (index % 3 === 1) addNote(samples, at + beat / 2, beat, melody[(index + 5) % 16] + 12, 0.05, 6);
    }
    if (drums) {
      if (index % 2 === 0) addKick(samples, at);
      addHat(samples, at, noise, 0.05);
      addHat(samples, at + beat / 2, noise, 0.09);
    }
  }
  return toWav(samples);
}
