/** A refusal with a message for the operator. `usage`: the arguments are wrong; `refused`: the command can't be carried out. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  readonly kind: "usage" | "refused";

  constructor(kind: "usage" | "refused", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Removes control characters from the operator's input, so that a message can quote it. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "");
