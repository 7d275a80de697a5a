import { browser } from "@wxt-dev/browser";
import { optional, shape, text, type Guarded } from "../messages/guards.ts";

const isConnection = shape({
  /** Everything before `/app`, without a slash at the end. */
  baseUrl: text(2_048),
  token: text(512),
  /** The e-mail address of the account, by which people recognize it. */
  name: optional(text(320)),
});
export type Connection = Guarded<typeof isConnection>;

/** Pages of the platform, where our scripts run in other hands' documents, get nothing of what is kept. */
export async function keepFromPages(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
}

export async function readConnection(): Promise<Connection | undefined> {
  const { connection } = await browser.storage.local.get("connection");
  return isConnection(connection) ? connection : undefined;
}

/** The address is remembered when the connection ends. */
export async function readLastAddress(): Promise<string> {
  const { address } = await browser.storage.local.get("address");
  return typeof address === "string" ? address : "";
}

/** Data of an account, which leave with its connection. */
const ofAccount = ["library", "sentReels"];

/** It may be of another account than the last one, whose library is none of its business. */
export async function keepConnection(connection: Connection): Promise<void> {
  await browser.storage.local.remove(ofAccount);
  await browser.storage.local.set({ connection, address: connection.baseUrl });
}

/** Data of an account is removed with its connection. Collections that were not sent belong to the person, and stay. */
export const dropConnection = async (): Promise<void> => browser.storage.local.remove(["connection", ...ofAccount]);

export function onConnectionChange(tell: () => void): void {
  browser.storage.local.onChanged.addListener((changes: Readonly<Record<string, unknown>>) => {
    if (changes["connection"]) tell();
  });
}
