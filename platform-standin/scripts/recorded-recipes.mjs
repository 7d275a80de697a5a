import { makeMusic } from "./make-music.mjs";

const librivox = {
  origin: "human speech: a LibriVox reading of Sense and Sensibility, as packaged in Debian's pocketsphinx-testdata",
  licence: "Public Domain",
};
const asterisk = (voice) => ({
  origin: `human speech: ${voice}, as packaged in Debian's asterisk-core-sounds`,
  licence: "CC-BY-SA-3.0",
});
const allison = asterisk("Allison Smith");
const june = asterisk("June Wallack");
const carlo = asterisk("Carlo Flora");

const prompts = (...names) => names.map((prompt) => ({ prompt }));

export const recordedRecipes = [
  {
    name: "en-austen",
    code: "CenAusten01",
    kind: "speech",
    language: "en",
    ...librivox,
    handle: "quiet.chapters",
    fullName: "Quiet Chapters",
    verified: true,
    parts: ["0870", "0880", "0890", "0920", "0930"].map((librivox) => ({ librivox })),
    text: "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-disposed young man, unless to be rather cold-hearted and rather selfish is to be ill-disposed. Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.",
    caption: "Jane Austen being polite about a horrible man 📚 #bookstagram #janeausten",
    likes: 4210,
    comments: 131,
    views: 58211,
    plays: 90412,
  },
  {
    name: "en-tour",
    code: "CenTourA060",
    kind: "speech",
    language: "en",
    ...allison,
    handle: "openphone.lab",
    fullName: "Open Phone Lab",
    parts: prompts("demo-congrats", "demo-echotest", "demo-thanks"),
    text: "Congratulations. You have successfully installed and executed the Asterisk open source PBX. You have also installed a set of sample sounds and configuration files that should help you to get started. Like a normal PBX, you will navigate this demonstration by dialing digits. If you are using a console channel driver instead of a real phone, you can use the dial, answer, and hang up commands to simulate the actions of a standard telephone. You are about to enter an echo test. In this mode everything you say will be repeated back to you just as soon as it is received. The purpose of this test is to give you an audible sense of the latency between you and the machine that is running the echo test application. You may end the test by hanging up or by pressing the pound key. Goodbye. Thank you for trying out the Asterisk open source PBX.",
    caption: "A whole phone system on one old laptop, the one minute tour ☎️ #selfhosted #opensource @quiet.chapters",
    likes: 1893,
    comments: 77,
    views: 20441,
    plays: 31877,
  },
];
