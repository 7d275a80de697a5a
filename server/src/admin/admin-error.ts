/** A refusal that the operator may read. `usage` when the arguments are wrong, `refused` when they cannot be carried out. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  readonly kind: "usage" | "refused";

  constructor(kind: "usage" | "refused", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Removes control characters from what the operator typed, so that a message can quote it. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "");
