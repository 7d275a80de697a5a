/** Characters of one event; a transcript is far shorter. */
const longestEvent = 4_000_000;

/**
 * Reads server-sent events and gives the data of each. `onPart` is called whenever something arrives, comments included.
 * Throws when an event is endless.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
  onPart: () => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onPart();
    waiting += decoder.decode(part.value, { stream: true });
    const events = waiting.split(/\r\n\r\n|\n\n|\r\r/);
    waiting = events.pop() ?? "";
    if (waiting.length > longestEvent) throw new Error("an event of the stream is endless");
    for (const event of events) {
      const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
      if (lines.length > 0) onData(lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n"));
    }
  }
}
