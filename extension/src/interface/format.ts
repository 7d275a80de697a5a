const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 });
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export const exactNumber = (value: number): string => whole.format(value);
export const shortNumber = (value: number): string => short.format(Math.round(value));
export const share = (value: number): string => `${oneDecimal.format(value)}%`;
export const roughNumber = (value: number): string => oneDecimal.format(value);
export const counted = (value: number, one: string, many: string): string =>
  `${exactNumber(value)} ${value === 1 ? one : many}`;

/** As players show it: `0:41`. */
export function moment(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
