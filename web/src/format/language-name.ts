const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** "Tamil" of "ta"; "und" is a reel without speech. */
export const languageName = (code: string): string => {
  if (code === "und") return "No speech";
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
};
