import { createHmac, timingSafeEqual } from "node:crypto";
import { expect } from "vitest";
import { transcribeLater } from "./rest.ts";
import type { SignedIn } from "./sign-in.ts";
import type { ReceivedEvent } from "./start-receiver.ts";

export async function addWebhook(
  person: SignedIn,
  url: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body } = await person.api("createWebhook", { url });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.webhook.id, secret: body.secret };
}

/** Requests a transcription as one of the person's programs does, and returns its id. */
export async function transcribeByProgram({ url }: { url: string }, person: SignedIn, reel: string): Promise<string> {
  const { body } = await person.api("createKey", { name: "Program" });
  const id = await transcribeLater(url, body.secret, reel);
  await person.api("revokeKey", { id: body.key.id });
  return id;
}

export const listWebhooks = async (person: SignedIn) => (await person.api("listWebhooks")).body.webhooks;
/** Checks a signature by the rules of Standard Webhooks, independently of the service's code. */
export function isGenuine({ headers, body }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(signed, "utf8").digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((part) => {
      const [version, signature = ""] = part.split(",");
      const given = Buffer.from(signature, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
