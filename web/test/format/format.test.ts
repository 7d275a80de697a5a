import { describe, expect, test } from "vitest";
import { cueLines, gelOf, languages } from "@reelscript/contract/values";
import {
  calendarDays,
  longDate,
  relativeDate,
  shortDate,
  duration,
  exactNumber,
  percent,
  times,
  shortNumber,
  languageName,
  shownAddress,
  changeSince,
  countryName,
} from "../../src/format.ts";

test("durations carry into minutes and hours and never run backward", () => {
  const seconds = [0, 59.9, 60, 725, 3_729, -3];
  expect(seconds.map(duration)).toEqual(["0:00", "0:59", "1:00", "12:05", "1:02:09", "0:00"]);
});

test("figures and days are written in one style, wherever the reader is", () => {
  expect([1_284_903, 918_000, 412].map(shortNumber)).toEqual(["1.28M", "918K", "412"]);
  expect([percent(6.4), percent(6.4, 2)]).toEqual(["6.4%", "6.40%"]);
  expect([exactNumber(1_284_903), longDate(new Date(2026, 8, 2))]).toEqual(["1,284,903", "Sep 2, 2026"]);
  expect(calendarDays("2026-06-01", "2026-06-30")).toMatch(/^Jun 1\s–\s30, 2026$/);
});

test("the first page's figures and days equal the browser's formats", () => {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat("en-US", options);
  const plain = format({});
  const compact = format({ notation: "compact", maximumSignificantDigits: 3 });
  const tenths = format({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const twoDigits = format({ maximumSignificantDigits: 2 });
  for (const value of [0, 1, 999, 1_000, 9_995, 99_950, 999_499, 999_500, 999_999, 1_234_567, 999_500_000]) {
    expect(exactNumber(value)).toBe(plain.format(value));
    expect(shortNumber(value)).toBe(compact.format(value));
  }
  // A last digit of 5 stands for a fraction a little smaller or larger, and is rounded as such.
  const values = Array.from({ length: 3_000 }, (_, index) => (index * 7.37) ** (1 + (index % 5) / 4));
  for (const value of [0.0125, ...values].filter((one) => !String(one).endsWith("5"))) {
    expect(exactNumber(value)).toBe(plain.format(value));
    expect(shortNumber(Math.round(value))).toBe(compact.format(Math.round(value)));
    expect(percent(value)).toBe(`${tenths.format(value)}%`);
    expect(times(value)).toBe(`${twoDigits.format(value)}x`);
  }
  const day = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", year: "numeric" });
  for (let index = 0; index < 800; index += 1) {
    const moment = new Date(Date.UTC(2024, 0, 1) + index * 30 * 3_600_000);
    expect(longDate(moment)).toBe(day.format(moment));
    expect(shortDate(moment, new Date(2020, 0, 1))).toBe(day.format(moment));
  }
  for (const [code, name] of Object.entries(languages)) {
    expect(languageName(code)).toBe(name);
    expect(new Intl.DisplayNames("en", { type: "language" }).of(code)).toBe(name);
  }
});

test("dates show how long ago, later the day, then the year", () => {
  const now = new Date(2026, 10, 14, 12, 0);
  const at = (...parts: [number, number, number, number, number]): string => relativeDate(new Date(...parts), now);
  expect(at(2026, 10, 14, 11, 59)).toBe("1 min ago");
  expect(relativeDate(now, now)).toBe("Just now");
  expect(at(2026, 10, 14, 12, 12)).toBe("in 12 min");
  expect(at(2026, 10, 14, 0, 5)).toMatch(/^Today, /);
  expect(at(2026, 10, 13, 23, 59), "a day is a date, not 24 hours").toMatch(/^Yesterday, /);
  expect(at(2026, 10, 3, 9, 0)).not.toMatch(/2026|ago/);
  expect(shortDate(new Date(2025, 10, 14), now)).toContain("2025");
});

test("languages and countries are named; what is none keeps its code", () => {
  const languages = ["ta", "pt-BR", "und", "not a code"].map(languageName);
  expect(languages).toEqual(["Tamil", "Brazilian Portuguese", "No speech", "not a code"]);
  expect(["PT", "in", "ZZZ", "??"].map(countryName)).toEqual(["Portugal", "India", "ZZZ", "??"]);
});

describe("a cue", () => {
  test("stays within its frame, whatever is said", () => {
    const texts = ["one", "a".repeat(500), "no end ".repeat(300), "a. b. c. ".repeat(60), "ابدأ بالنتيجة؟ ثم اشرح."];
    for (const text of texts)
      for (const { x, y, width } of cueLines(text)) {
        expect(x).toBeGreaterThanOrEqual(6);
        expect(x + width, text.slice(0, 20)).toBeLessThanOrEqual(32);
        expect(y).toBeLessThanOrEqual(58);
        expect(width).toBeGreaterThan(0);
      }
    expect(cueLines("")).toEqual([]);
  });

  test("leaves a gap where a sentence ends", () => {
    const [first, second] = cueLines("One. Two.");
    const [, within] = cueLines("One sentence that is much too long for a single line of it.");
    expect(second!.y - first!.y).toBeGreaterThan(within!.y - first!.y);
  });

  test("has colors that depend only on the id, which use all", () => {
    const ids = Array.from({ length: 600 }, (_, index) => `scr_${index}`);
    expect(ids.map(gelOf)).toEqual(ids.map(gelOf));
    expect(new Set(ids.map(gelOf)).size).toBe(6);
  });
});

test.each([
  ["https://www.lenabakes.com/", "lenabakes.com"],
  ["https://www.instagram.com/reel/DQx7Kb2sV1n/", "instagram.com/reel/DQx7Kb2sV1n"],
  ["mailto:me@example.com", "me@example.com"],
])("the address %s is shown as people say it", (url, text) => expect(shownAddress(url)).toBe(text));

test.each([
  [124, 100, "+24%"],
  [50, 200, "\u221275%"],
  [1001, 1000, "as many"],
  [7, 0, undefined],
])("%j visits, before %j, are %j", (now, before, change) => expect(changeSince(now, before)).toBe(change));
