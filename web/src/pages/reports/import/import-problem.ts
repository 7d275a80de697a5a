/** A refusal of a file, with rows as a person counts them: `reels[6].views` is “views” of row 7. */
export const importProblem = (message: string): string =>
  message
    .replaceAll(
      /`reels\[(\d+)\]\.([\w.]+)`/g,
      (_, index: string, field: string) => `Row ${Number(index) + 1}, “${field}”`,
    )
    .replaceAll(
      /(in )?`reels\[(\d+)\]`/g,
      (_, within: string | undefined, index: string) => `${within ?? ""}row ${Number(index) + 1}`,
    )
    .replaceAll(/`([\w.@]+)`/g, "“$1”");
