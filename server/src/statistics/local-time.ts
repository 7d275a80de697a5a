import { dayNames, type PostingTime } from "@reelscript/contract";

export interface LocalTime {
  readonly dayOfWeek: PostingTime["dayOfWeek"];
  /** 0 to 23. */
  readonly hour: number;
  /** Midnight UTC of the day that the calendar shows there. */
  readonly day: Date;
}

/** Converts moments to clock and calendar of a time zone. */
export function createLocalTime(timezone: string): (moment: Date) => LocalTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    weekday: "long",
    hour: "2-digit",
    hourCycle: "h23",
  });
  return (moment) => {
    const parts = format.formatToParts(moment);
    const part = (type: string) => parts.find((one) => one.type === type)?.value;
    const dayOfWeek = dayNames.find((name) => name === part("weekday"));
    if (dayOfWeek === undefined) throw new Error(`no day of the week in ${format.format(moment)}`);
    const [year, month, day] = ["year", "month", "day"].map((type) => Number(part(type)));
    return { dayOfWeek, hour: Number(part("hour")), day: new Date(Date.UTC(year!, month! - 1, day)) };
  };
}
