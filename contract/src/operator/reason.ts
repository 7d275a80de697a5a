import * as z from "zod";

const longestReason = 500;

/** Why an operator does something: one line, kept in the audit. */
export const Reason = z
  .string()
  .trim()
  .min(1, { error: "must not be empty" })
  .max(longestReason)
  .refine((text) => !/\p{Cc}/u.test(text), { error: "must be one line" })
  .meta({ description: "Reason for the action, kept in the audit." });
