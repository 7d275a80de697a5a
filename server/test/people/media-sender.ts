import { expect } from "vitest";
import { connectExtension, type ConnectedExtension } from "../harness/connect-extension.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import type { TestService } from "../harness/start-test-service.ts";

/** Somebody whose extension sends media of reels. */
export interface Sender extends ConnectedExtension {
  readonly person: SignedIn;
  readonly send: (reel: string, body?: BodyInit, type?: string) => Promise<SendResult>;
  /** How a transcription ended. */
  readonly ended: (id: string) => Promise<Ended>;
  /** Sends media that are taken, and waits until they are transcribed. */
  readonly sendAndEnd: (reel: string, body?: BodyInit) => Promise<Ended>;
  /** Units charged. */
  readonly used: () => Promise<number>;
}

interface SendResult {
  readonly status: number;
  readonly answer: {
    readonly error?: { readonly code: string };
    readonly cached?: boolean;
    readonly transcription?: { readonly id: string };
  };
  /** The id of the transcription. */
  readonly id: string;
}

interface Ended {
  readonly status: string;
  readonly error?: { readonly code: string; readonly reason?: string };
  readonly result?: { readonly transcript: string };
  readonly receipt?: { readonly audioSeconds: number; readonly cut: boolean };
}

export async function aSender(service: TestService): Promise<Sender> {
  const person = await signInNew(service);
  const connected = await connectExtension(service, person);
  const sender: Sender = {
    ...connected,
    person,
    async send(reel, body = "media of the reel", type = "video/mp4") {
      const response = await fetch(`${service.url}/app/api/reel-media?${new URLSearchParams({ url: reel })}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${connected.token}`,
          "content-type": type,
          origin: "chrome-extension://abc",
        },
        body,
        ...(body instanceof ReadableStream && { duplex: "half" }),
      } as RequestInit);
      const answer = JSON.parse(await response.text());
      return { status: response.status, answer, id: answer.transcription?.id };
    },
    async ended(id) {
      let last: Ended | undefined;
      await expect
        .poll(async () => {
          last = (await connected.ask(`/transcriptions/${id}`)).body as Ended;
          return last.status;
        })
        .toMatch(/done|failed/);
      return last ?? expect.fail("nothing ended");
    },
    async sendAndEnd(reel, body) {
      const result = await sender.send(reel, body);
      expect(result).toMatchObject({ status: 200, answer: { cached: false } });
      return sender.ended(result.id);
    },
    used: async () => (await connected.ask("/usage")).body.transcriptions.used,
  };
  return sender;
}
