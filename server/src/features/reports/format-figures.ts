/** Numbers and dates as the sentences of a report say them. */
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

export const count = (value: number): string => (value < 100 ? fine : whole).format(value);

export const plural = (value: number, singular: string, several = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : several}`;

export const times = (ratio: number): string => `${fine.format(ratio)} times`;

export const percent = (value: number): string => `${fine.format(value)}%`;

/** A duration in the unit in which it is a handy number. */
export function duration(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  return hours < 48 ? plural(Math.round(hours * 10) / 10, "hour") : plural(Math.round(hours / 2.4) / 10, "day");
}

export const day = (moment: Date, timezone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone: timezone, day: "numeric", month: "long", year: "numeric" }).format(
    moment,
  );
