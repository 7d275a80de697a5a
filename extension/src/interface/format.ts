const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 });
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export const exactNumber = (value: number): string => whole.format(value);
export const shortNumber = (value: number): string => short.format(Math.round(value));
export const share = (value: number): string => `${oneDecimal.format(value)}%`;
export const roughNumber = (value: number): string => oneDecimal.format(value);
export const counted = (value: number, one: string, many: string): string =>
  `${exactNumber(value)} ${value === 1 ? one : many}`;
