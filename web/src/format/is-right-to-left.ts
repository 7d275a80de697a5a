const rightToLeft: ReadonlySet<string> = new Set(["ar", "fa", "he", "ur"]);

export const isRightToLeft = (language: string | undefined): boolean =>
  rightToLeft.has(language?.split("-", 1)[0]?.toLowerCase() ?? "");
