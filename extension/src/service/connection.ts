import { browser } from "@wxt-dev/browser";
import { optional, shape, text, type Guarded } from "../messages/guards.ts";

const isConnection = shape({
  /** Everything before `/app`, without a slash at the end. */
  baseUrl: text(2_048),
  token: text(512),
  /** The account's email address, by which people recognize it. */
  name: optional(text(320)),
});
export type Connection = Guarded<typeof isConnection>;

/** Our scripts in the platform's pages run in untrusted documents, so they get no access to the storage. */
export async function keepFromPages(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
}

export async function readConnection(): Promise<Connection | undefined> {
  const { connection } = await browser.storage.local.get("connection");
  return isConnection(connection) ? connection : undefined;
}

/** The address stays stored when the connection ends. */
export async function readLastAddress(): Promise<string> {
  const { address } = await browser.storage.local.get("address");
  return typeof address === "string" ? address : "";
}

/** Data of an account, which is removed with its connection. */
const ofAccount = ["library", "sentReels"];

/** The new account may differ from the last one, and must not see its library. */
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
