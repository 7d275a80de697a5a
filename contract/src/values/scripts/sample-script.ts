/** A made-up reel, so that a first look is free and needs no platform. */
export const sampleScript = {
  language: "en",
  seconds: 31,
  segments: [
    { start: 0, text: "Nobody tells you this about bread." },
    { start: 2.6, text: "The dough doesn’t care what your timer says." },
    { start: 5.8, text: "Poke it. If it springs straight back, it needs longer." },
    { start: 10.1, text: "If it comes back slowly and leaves a small dent, it’s ready for the oven." },
    { start: 15.4, text: "And if it just collapses, you waited too long. Make flatbread, tell nobody." },
    { start: 20.9, text: "I bake in a cold kitchen, so mine takes five hours." },
    { start: 24.7, text: "Yours may take two. Save this for Sunday and poke your dough." },
  ],
} as const;
