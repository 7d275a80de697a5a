import { ServiceError } from "@reelscript/contract";
import type * as z from "zod";

/** Reads `value` by `schema`; throws `invalidRequest` with a message that names each wrong field. */
export function readInput<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new ServiceError("invalidRequest", result.error.issues.map(describeIssue).join(" "));
}

/** One sentence that names the field and says what is accepted. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => `\`${key}\``).join(", ");
    return `${names}: there is no such field${field ? ` in \`${field}\`` : ""}.`;
  }
  if (issue.code === "invalid_type" && issue.input === undefined && field) return `\`${field}\` is missing.`;
  return field ? `\`${field}\`: ${issue.message}.` : `The input: ${issue.message}.`;
}
