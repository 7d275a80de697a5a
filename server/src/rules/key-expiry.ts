import { ServiceError } from "@reelscript/contract";
import type { ApiKey } from "../ports.ts";

export const isExpired = <Key extends Pick<ApiKey, "expiresAt">>(
  key: Key,
  now: Date,
): key is Key & { readonly expiresAt: Date } => key.expiresAt !== null && key.expiresAt <= now;

const minute = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

export const keyExpired = ({ expiresAt }: { readonly expiresAt: Date }): ServiceError =>
  new ServiceError(
    "unauthorized",
    `This API key expired on ${minute.format(expiresAt)} UTC. Create a new one in the dashboard under API keys, and use that.`,
    { reason: "keyExpired" },
  );
