import type { Transcription } from "@reelscript/contract";

interface FollowedStream {
  readonly status: number;
  readonly last: () => Transcription | undefined;
  /** The words so far, as a follower assembles them; `undefined` until a state has some, or after a state without any. */
  readonly words: () => string | undefined;
  /** The number of characters in words that were sent, over all events. */
  readonly sentCharacters: () => number;
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Follows a transcription by server-sent events. */
export async function followStream(url: string, key: string, id: string): Promise<FollowedStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/v1/transcriptions/${id}`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
    signal: leaving.signal,
  });
  let last: Transcription | undefined;
  let passages: readonly string[] | undefined;
  let sentCharacters = 0;
  function take(event: string): void {
    const data = /^event: \w+\ndata: (.*)$/m.exec(event)?.[1];
    if (data === undefined) return;
    last = JSON.parse(data) as Transcription;
    if (last.interim === undefined) return;
    const added = last.interim.passages.map(({ text }) => text);
    passages = [...(passages ?? []).slice(0, last.interim.from), ...added];
    sentCharacters += added.join("").length;
  }
  async function read(): Promise<void> {
    if (response.body === null) return;
    let waiting = "";
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (waiting + part).split("\n\n");
      waiting = events.pop() ?? "";
      events.forEach(take);
    }
  }
  return {
    status: response.status,
    last: () => last,
    words: () => passages?.join(" "),
    sentCharacters: () => sentCharacters,
    // A stream that the test leaves, or whose process dies, isn't a failure.
    ended: read().catch(() => undefined),
    leave: () => leaving.abort(),
  };
}
