import { ServiceError } from "@reelscript/contract";
import type { ApiKey } from "../ports.ts";

export const isExpired = <Key extends Pick<ApiKey, "expiresAt">>(
  key: Key,
  now: Date,
): key is Key & { readonly expiresAt: Date } => key.expiresAt !== null && key.expiresAt <= now;

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

export const keyExpired = ({ expiresAt }: { readonly expiresAt: Date }): ServiceError =>
  new ServiceError(
    "unauthorized",
    `This API key expired on ${day.format(expiresAt)}. Create a new one in the dashboard under Settings, API keys, and use that.`,
    { reason: "keyExpired" },
  );
