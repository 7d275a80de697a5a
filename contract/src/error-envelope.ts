import * as z from "zod";
import { errors, type ErrorCode, type ErrorReason, reasonNames } from "./values/service-error.ts";

export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z
        .enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]])
        .meta({ id: "ErrorCode", description: "Machine-readable code." }),
      message: z.string().meta({ description: "Message for people, safe to relay to a user." }),
      problems: z.array(z.object({ path: z.array(z.unknown()), problem: z.string() })).optional(),
    }),
  })
  .meta({ id: "ErrorEnvelope" });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** The error of work that failed after its request was answered. `reasons` are those that the documentation lists. */
export const StoredError = (reasons: readonly ErrorReason[]) =>
  ErrorEnvelope.shape.error.omit({ problems: true }).extend({
    reason: z
      .enum(reasonNames)
      .optional()
      .meta({ description: "Exact reason, where there is one.", enum: [...reasons] }),
  });
