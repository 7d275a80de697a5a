/**
 * Shows on a terminal that something goes on: a line with the seconds so far, from the second one on. Returns the function
 * that takes it away; shows nothing where nobody watches.
 */
export function startTicker(stream: { readonly isTTY?: boolean; write(text: string): unknown }): () => void {
  if (stream.isTTY !== true) return () => undefined;
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    stream.write(`\r\u001b[2KWorking… ${seconds} s`);
  }, 1000);
  return () => {
    clearInterval(timer);
    if (seconds > 0) stream.write("\r\u001b[2K");
  };
}
