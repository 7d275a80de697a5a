/** A line on a terminal that says that work is going on. */
export interface Ticker {
  start(): void;
  /** Shows how much is done, 0 to 1, as soon as there is a line. */
  show(share: number): void;
  stop(): void;
}

/** Shows the seconds so far, from the second one on; shows nothing where nobody watches. */
export function createTicker(stream: { readonly isTTY?: boolean; write(text: string): unknown }): Ticker {
  let seconds = 0;
  let share = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (stream.isTTY !== true || timer !== undefined) return;
      timer = setInterval(() => {
        seconds += 1;
        const percent = share > 0 ? `${Math.round(share * 100)} %, ` : "";
        stream.write(`\r\u001b[2KWorking… ${percent}${seconds} s`);
      }, 1000);
    },
    show(next) {
      share = next;
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      if (seconds > 0) stream.write("\r\u001b[2K");
      seconds = 0;
    },
  };
}
