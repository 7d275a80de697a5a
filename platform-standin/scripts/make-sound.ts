import path from "node:path";
import { makeMusic } from "./make-music.ts";
import { ffmpeg, runTool } from "./run-tool.ts";

/** As much of a row of reels.json as its media are made of. */
export interface Row {
  readonly name: string;
  readonly language: string;
  readonly text: string;
  seconds: number;
  readonly hasAudio: boolean;
  readonly width: number;
  readonly height: number;
  readonly handle: string;
  readonly caption: string;
}
/** Gives the parameters by which ffmpeg reads a part of the speech; `spoken` is a file for a voice to write. */
type Part = (row: Row, spoken: string) => string[];
interface Sound {
  /** Joined with pauses of `gapSeconds`. */
  readonly parts?: readonly Part[];
  readonly gapSeconds?: number;
  readonly isLeveled?: boolean;
  /** Alone, or quietly below the speech. */
  readonly music?: Parameters<typeof makeMusic>[1];
  /** Of ffmpeg. */
  readonly source?: string;
  readonly audioRate?: number;
  readonly audioKilobits?: number;
}

const asteriskFolders: Readonly<Record<string, string>> = {
  en: "en_US_f_Allison",
  es: "es_MX_f_Allison",
  fr: "fr_CA_f_June",
  it: "it_IT_m_Carlo",
};
const prompts = (...names: readonly string[]): Part[] =>
  names.map((name) => ({ language }) => [
    "-f g722 -i",
    `/usr/share/asterisk/sounds/${asteriskFolders[language]}/${name}.g722`,
  ]);
const chapters = (...numbers: readonly string[]): Part[] =>
  numbers.map((number) => () => [
    "-i",
    `/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`,
  ]);
const espeak =
  (voice: string, rate: number): Part =>
  ({ text }, spoken) => {
    runTool("espeak-ng", ["-v", voice, "-s", String(rate), "-w", spoken, text]);
    return ["-i", spoken];
  };
const festival =
  (voice: string, say = (text: string): string => text): Part =>
  ({ text }, spoken) => {
    runTool("text2wave", ["-eval", `(voice_${voice})`, "-o", spoken], say(text));
    return ["-i", spoken];
  };
// espeak-ng's Arabic, Indonesian and Tamil are not intelligible to a small recognizer. The diphones of the Hindi and
// Telugu voices are recorded speech: read from a respelling in their script they are.
const respelled = (voice: string, say: string): Sound => ({ parts: [festival(voice, () => say)] });
const hindiVoice = "hindi_NSK_diphone";
const teluguVoice = "telugu_NSK_diphone";
/** The vowel that a Hindi letter implies is silent at the end of a word; the voice speaks it unless a virama follows. */
const withoutFinalVowels = (text: string): string =>
  text.replaceAll(/([\u0915-\u0939\u0958-\u095f])(?=[\s।,.?]|$)/g, "$1\u094d");
const hindi: Sound = { parts: [festival(hindiVoice, withoutFinalVowels)] };
const telugu: Sound = { parts: [festival(teluguVoice)] };

/** By the names of the reels. */
export const sounds: Readonly<Record<string, Sound>> = {
  "en-austen": { parts: chapters("0870", "0880", "0890", "0920", "0930") },
  "en-tour": { parts: prompts("demo-congrats", "demo-echotest", "demo-thanks") },
  "en-company": { parts: prompts("basic-pbx-ivr-main", "queue-thankyou") },
  "en-half-minute": { parts: prompts("demo-abouttotry", "demo-nogo", "vm-goodbye"), gapSeconds: 0.8 },
  "en-weasels": { parts: prompts("tt-somethingwrong", "tt-weasels", "tt-allbusy", "queue-periodic-announce") },
  "en-conference": {
    parts: prompts("conf-waitforleader", "confbridge-mute-extended", "dir-intro"),
    audioRate: 44_100,
  },
  "en-music-bed": {
    parts: prompts("demo-echotest"),
    music: { seconds: 24, beatsPerMinute: 88 },
    audioRate: 44_100,
  },
  "en-amiable": { parts: chapters("0920", "0930") },
  "en-square": { parts: prompts("vm-newuser", "vm-instructions", "vm-goodbye") },
  "en-one-second": { parts: prompts("vm-goodbye"), gapSeconds: 0.1, isLeveled: false },
  "es-felicidades": { parts: prompts("demo-congrats") },
  "es-eco": { parts: prompts("demo-echotest") },
  "es-conexion": { parts: prompts("demo-abouttotry", "demo-nogo") },
  "es-ocupados": { parts: prompts("tt-allbusy", "queue-periodic-announce", "queue-thankyou") },
  "fr-felicitations": { parts: prompts("demo-congrats") },
  "fr-echo": { parts: prompts("demo-echotest", "demo-echodone") },
  "fr-connexion": { parts: prompts("demo-abouttotry", "demo-nogo") },
  "fr-patience": { parts: prompts("tt-allbusy", "queue-periodic-announce", "followme/status", "queue-thankyou") },
  "it-congratulazioni": { parts: prompts("demo-congrats") },
  "it-eco": { parts: prompts("demo-echotest") },
  "it-connessione": { parts: prompts("demo-abouttotry", "demo-nogo") },
  "it-occupati": { parts: prompts("tt-allbusy", "queue-periodic-announce", "queue-youarenext") },
  "de-zimmer": { parts: [espeak("de+klatt4", 155)] },
  "de-pilze": { parts: [espeak("de", 165)] },
  "pt-familia": { parts: [espeak("pt-br+Diogo", 115)] },
  "pt-cachorro": { parts: [espeak("pt-br+Diogo", 115)] },
  "hi-subah": hindi,
  "hi-chai": hindi,
  "te-pachadi": telugu,
  "te-varsham": telugu,
  "ta-kadhai": respelled(
    teluguVoice,
    "వణక్కం. ఎన్ పెయర్ కుమార్. నాన్ తమిళ్ నాట్టిల్ ఇరుక్కిఱేన్. ఇన్ఱు నాన్ ఉంగళుక్కు ఒరు కదై సొల్లప్ పోగిఱేన్. ఒరు ఊరిల్ ఒరు రాజా ఇరుందార్. అవరుక్కు మూన్ఱు మగన్గళ్ ఇరుందార్గళ్. నన్ఱి, వణక్కం.",
  ),
  "ta-veedu": respelled(
    teluguVoice,
    "వణక్కం. ఇదు ఎన్ వీడు. నాన్ ఇంగే తాన్ ఇరుక్కిఱేన్. ఎన్ అమ్మా, ఎన్ అప్పా, ఎన్ తంబి ఎల్లారుం ఇరుక్కిఱార్గళ్. నాంగళ్ ఎల్లారుం తమిళ్ పేసుగిఱోం. ఉంగళుక్కు ఎన్న వేండుం ఎన్ఱు సొల్లుంగళ్. నన్ఱి, వణక్కం.",
  ),
  "ar-qahwa": respelled(
    hindiVoice,
    "अस्सलामु अलैकुम व रहमतुल्लाह। मरहबन बिकुम। अल यौम सौफ़ा नतकल्लमु अनिल क़हवतिल अरबिय्या। अना उहिब्बुल क़हवा। कुल्ला यौम अश्रबुल क़हवता मअ सदीक़ी। शुक्रन जज़ीलन लकुम। मअस्सलामा।",
  ),
  "ar-safar": respelled(
    hindiVoice,
    "अस्सलामु अलैकुम। अह्लन व सह्लन बिकुम। अल यौम सौफ़ा नतकल्लमु अनिस्सफ़र। अना उहिब्बुस्सफ़रा इलल मुदुनिल जमीला। फ़िस्सबाहि नम्शी फ़िस्सूक़, व फ़िल मसाइ नज्लिसु अलल बह्र। शुक्रन लकुम व इलल लिक़ा।",
  ),
  "id-nasi-goreng": respelled(
    hindiVoice,
    "सलामत् पागी तमान् तमान्। हारी इनी साया आकान् ममासाक् नासी गोरेङ् उन्तुक् सारापान्। पर्तामा, पानास्कान् मिन्याक् दी वाजान्। लालू मासुक्कान् बावाङ् मेराह्, बावाङ् पूतिह्, दान् चाबाई। सतलाह् इतू, मासुक्कान् तलूर् दान् नासी पूतिह्। नासी गोरेङ् सिआप् दीमाकान्। तरीमा कासिह्।",
  ),
  "id-pasar": respelled(
    hindiVoice,
    "हालो तमान् तमान्, अपा काबार्? हारी इनी साया इङिन् बर्चरीता तन्ताङ् पासार् दी कोता साया। सतिआप् पागी, इबू साया पर्गी क पासार् उन्तुक् मम्बली सायूर्, ईकान्, दान् बूआह् बूआहान्। हार्गा दी साना लबिह् मूराह्। तरीमा कासिह् सूदाह् मनोन्तोन्, साम्पाई जुम्पा लागी।",
  ),
  "music-beat": { music: { seconds: 20 }, audioRate: 44_100, audioKilobits: 96 },
  "music-calm": {
    music: { seconds: 14, beatsPerMinute: 60, hasDrums: false },
    audioRate: 44_100,
    audioKilobits: 96,
  },
  silence: { source: "anullsrc=r=16000:cl=mono" },
  noise: { source: "anoisesrc=c=pink:r=16000:a=0.3:seed=7" },
};

const trimmed =
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.05,areverse," +
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.15,areverse";

/** The sound of a reel as WAV, or undefined for a reel without an audio track. */
export function makeSound(row: Row, folder: string): string | undefined {
  if (!row.hasAudio) return undefined;
  const { parts, music, source, ...joining } = sounds[row.name]!;
  const fileOf = (name: string): string => path.join(folder, `${name}.wav`);
  const [speech, musicFile, mixed] = [fileOf("speech"), fileOf("music"), fileOf("mixed")];
  if (source) {
    ffmpeg("-f lavfi -i", source, `-t ${row.seconds}`, mixed);
    return mixed;
  }
  if (music) makeMusic(musicFile, music);
  if (!parts) return musicFile;
  const files = parts.map((read, index) => {
    const wav = fileOf(`part-${index}`);
    const input = read(row, fileOf(`spoken-${index}`));
    ffmpeg(...input, "-af", trimmed, "-ar 16000 -ac 1", wav);
    return wav;
  });
  joinParts(files, speech, joining);
  if (!music) return speech;
  const mix = "[1]volume=0.12[bed];[0][bed]amix=inputs=2:duration=first:normalize=0";
  ffmpeg("-i", speech, "-stream_loop -1 -i", musicFile, "-filter_complex", mix, "-ar 16000", mixed);
  return mixed;
}

function joinParts(files: readonly string[], out: string, { gapSeconds = 0.45, isLeveled = true }: Sound): void {
  const padded = files.map((_, index) => `[${index}]apad=pad_dur=${gapSeconds}[p${index}]`).join(";");
  const joined = files.map((_, index) => `[p${index}]`).join("") + `concat=n=${files.length}:v=0:a=1`;
  const leveled = isLeveled ? ",loudnorm=I=-18:TP=-2,aresample=16000" : "";
  const filter = `${padded};${joined}${leveled},aformat=channel_layouts=mono`;
  ffmpeg(...files.flatMap((file) => ["-i", file]), "-filter_complex", filter, "-ar 16000", out);
}
