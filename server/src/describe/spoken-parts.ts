import { cutText, longestSentence } from "@reelscript/contract";

/** A call to action is looked for in the last sentences only. */
const lastSentences = 4;
const lastCharacters = 2 * longestSentence;

/** Words that call people to action, in the transcribed languages. */
const asks = [
  "follow (me|us|for|along|this|@)|save (this|it)|comments? (below|down|with|the word|if)|in the comments|(drop|leave) (me )?a comment|let me know|tell me (what|which|if|in)|link (is )?in|(share|send) (this|it)|tag (a|someone|your|me)|subscribe|dm me|(hit|smash) the|sign up|click (the|on)",
  "sígueme|síguenos|sigue (mi|la|esta|para)|guarda (este|esto|el)|guárdal[oa]|comenta|coméntame|comparte|compártelo|etiqueta a|suscríbete|(enlace|link) en|cuéntame|escríbeme|déjame|dale (a )?(like|me gusta)",
  "me segue|(segue|siga) (o|a|para|pra|nos|aqui)|salv[ae] (ess[ea]|est[ea]|o|isso|aí)|coment[ae]|compartilh[ae]|marc[ae] (um|uma|alguém|aquel[ae]|seu|sua)|inscreva-se|se inscreve|link na|me conta",
  "abonne-toi|abonnez-vous|suis-moi|suivez-(moi|nous)|enregistre (ce|cette|ça)|enregistrez|commente|commentez|partage (ce|cette|ça|avec)|partagez|lien (en|dans)|dis-moi|dites-(moi|nous)|en commentaires?|identifie",
  "folg(e|t)? (mir|uns)|speicher[et]? (dir|euch|das|es|dieses)|kommentier(e|t)?|teil[et] (das|es|dieses)|markier(e|t)?|abonnier(e|t)?|schreib(e|t)? (mir|uns|es|in)|in die kommentare|sag(t)? mir|link in",
  "seguimi|seguici|salva (questo|il)|salvalo|commenta|condividi|condividilo|tagga|iscriviti|fammi sapere|scrivimi|nei commenti|link in",
  "ikuti|simpan|komen|komentar|bagikan|bagiin|langganan|jangan lupa|kasih tahu|link di",
  "फॉलो|फ़ॉलो|सेव|कमेंट|शेयर|सब्सक्राइब|लाइक|टैग|बताइए|बताओ|बताएं",
  "ஃபாலோ|பாலோ|சேவ்|கமெண்ட்|ஷேர்|சப்ஸ்கிரைப்|லைக்|பகிருங்கள்|சொல்லுங்கள்|பின்தொடருங்கள்",
  "ఫాలో|సేవ్|కామెంట్|షేర్|సబ్స్క్రైబ్|లైక్|చెప్పండి",
  "تابعني|تابعوني|تابعونا|احفظ|احفظوا|علق|علقوا|اكتب|اكتبوا|شارك|شاركوا|اشترك|اشتركوا|لايك|منشن",
];
const ask = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(${asks.join("|")})(?![\\p{L}\\p{M}\\p{N}])`, "iu");

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/** The first spoken sentence; empty if there is no speech. */
export function hookOf(text: string): string {
  const [first] = sentences.segment(cutText(text.trimStart(), 2 * longestSentence));
  return shortened(first?.segment ?? "");
}

/** Words of an opening. */
const openingWords = 12;

/** The first spoken sentence, up to its twelfth word; empty if there is no speech. */
export function openingOf(text: string): string {
  const sentence = hookOf(text);
  const end = [...sentence.matchAll(/\S+/gu)][openingWords];
  return end === undefined ? sentence : `${sentence.slice(0, end.index).trimEnd()}…`;
}

/** The last sentence that asks for something, except the first one, which is the hook. */
export function callToActionOf(text: string): string | undefined {
  const ending = [...sentences.segment(text.trim().slice(-lastCharacters))];
  const sentence = ending
    .slice(1)
    .slice(-lastSentences)
    .findLast(({ segment }) => ask.test(segment));
  return sentence && shortened(sentence.segment);
}

function shortened(segment: string): string {
  const sentence = segment.trim();
  if (sentence.length <= longestSentence) return sentence;
  const cut = cutText(sentence, longestSentence - 1);
  const space = cut.lastIndexOf(" ");
  return `${space > longestSentence / 2 ? cut.slice(0, space) : cut}…`;
}
