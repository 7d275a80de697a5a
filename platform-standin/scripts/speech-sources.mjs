export const librivox = {
  origin: "human speech: a LibriVox reading of Sense and Sensibility, packaged in Debian's pocketsphinx-testdata",
  license: "Public Domain",
};

const asterisk = (voice) => ({
  origin: `human speech: ${voice}, packaged in Debian's asterisk-core-sounds`,
  license: "CC-BY-SA-3.0",
});

export const allison = asterisk("Allison Smith");
export const june = asterisk("June Wallack");
export const carlo = asterisk("Carlo Flora");

export const prompts = (...names) => names.map((prompt) => ({ prompt }));
export const chapters = (...numbers) => numbers.map((number) => ({ librivox: number }));
