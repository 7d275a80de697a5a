import { ServiceError } from "@reelscript/contract";

export const accountDeleted = (cause?: unknown): ServiceError =>
  new ServiceError("unauthorized", "This account was deleted.", { reason: "accountDeleted", cause });
