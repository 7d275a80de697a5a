/** Left-to-right and right-to-left scripts, joined emoji, a flag, combining marks and a zero-width joiner. */
export const mixedCaption =
  "Salam سلام עולם 🌍👩🏽‍🚀🏳️‍🌈🇮🇳 naïve café e\u0301 \u202Eabc\u202C क्षत्रिय வணக்கம் తెలుగు 日本語\n\n" +
  "#مرحبا #שלום #café #नमस्ते @qahwat.alsabah @added.reels";

const captionLimit = 2200;

/** As long as the platform allows, to the last character. */
export function longestCaption(): string {
  const line = "Every line of this caption says the same thing, and it says it again ✨ ";
  return `${line.repeat(captionLimit / line.length + 1).slice(0, captionLimit - 1)}!`;
}

export const markupCaption = `</script><script>alert(1)</script> "quotes" & <b>tags</b> \\u003C {"contextJSON":"[]]],"}`;
