const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** "Portugal" of "PT" */
export function countryName(code: string): string {
  try {
    return names.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}
