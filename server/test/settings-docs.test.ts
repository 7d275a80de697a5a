import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { readConfig } from "../src/settings/config.ts";
import { languageModels, Settings } from "../src/settings/environment-settings.ts";

const read = (name: string): Promise<string> => readFile(new URL(`../../${name}`, import.meta.url), "utf8");

const [example, page] = await Promise.all([".env.example", "docs/settings.md"].map(read));

const matches = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, name]) => name!);

const settingNames = [
  ...Object.keys(Settings.shape),
  ...languageModels.flatMap((code) =>
    ["WHISPER_MODEL", "TRANSCRIBER", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"].map(
      (name) => `${name}_${code}`,
    ),
  ),
].toSorted();

/** Every setting of `.env.example` with its value, as if nothing were commented out. */
const exampleSettings = (): [string, string][] =>
  Array.from(example!.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm), ([, name, value]) => [name!, value!]);

/** Name and default of every row of the tables; a row may hold several names. */
function pageSettings(): [string, string][] {
  return page!
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => {
      const [, names = "", value = ""] = line.split("|").map((cell) => cell.trim());
      const defaultValue = value === "–" ? "" : value.replaceAll("`", "");
      return matches(names, /`([A-Z0-9_]+)`/g).map((name): [string, string] => [name, defaultValue]);
    });
}

describe("the settings that are written down", () => {
  test("in .env.example are exactly those of the service", () => {
    expect(
      exampleSettings()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(settingNames);
  });

  test("in docs/settings.md are exactly those of the service", () => {
    expect(
      pageSettings()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(settingNames);
  });

  test("have the same defaults in both files", () => {
    expect(Object.fromEntries(pageSettings())).toEqual(Object.fromEntries(exampleSettings()));
  });

  test("have the defaults of the service", () => {
    expect(readConfig(Object.fromEntries(exampleSettings()), "/")).toEqual(readConfig({}, "/"));
  });

  test("leave out no default", () => {
    const withoutDefault = exampleSettings().filter(([, value]) => value === "");
    const fields: Readonly<Record<string, z.ZodType>> = Settings.shape;
    const hasDefault = (name: string): boolean => fields[name]?.safeParse(undefined).data !== undefined;
    expect(withoutDefault.map(([name]) => name).filter(hasDefault)).toEqual([]);
  });
});
