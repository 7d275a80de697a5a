import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readTracks } from "../src/mp4/read-tracks.ts";
import { readStoredReels, storedFile } from "../src/reels/stored-reels.ts";

const rows = readStoredReels();
const folder = fileURLToPath(new URL("../reels/", import.meta.url));
const spoken = (language: string) => rows.filter((row) => row.language === language && row.text !== "");

test("each is small, and so are all", () => {
  const sizes = readdirSync(folder).map((name) => statSync(folder + name).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(400_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_000_000);
});

test("nothing lies there that the table does not name", () => {
  const fileNames = rows.flatMap((row) => [`${row.name}.mp4`, `${row.name}.jpg`]);
  expect(readdirSync(folder).toSorted()).toEqual([...fileNames, "LICENSES.md", "reels.json"].toSorted());
});

test.each(rows)("$name has its origin, license, text and tracks", (row) => {
  expect(row.origin.length).toBeGreaterThan(10);
  expect(["Public Domain", "CC-BY-SA-3.0", "CC0-1.0"]).toContain(row.license);
  expect(row.language === "und" ? row.text : row.text.length > 5).toBe(row.language === "und" ? "" : true);
  expect(existsSync(storedFile(row.name, "jpg"))).toBe(true);
  const tracks = readTracks(readFileSync(storedFile(row.name, "mp4")));
  const secondsOf = (handler: string) => {
    const track = tracks.find((each) => each.handler === handler);
    return track ? track.samples.reduce((sum, sample) => sum + sample.duration, 0) / track.timescale : 0;
  };
  expect(tracks.find((track) => track.handler === "vide")).toMatchObject({ width: row.width, height: row.height });
  expect(tracks.some((track) => track.handler === "soun")).toBe(row.hasAudio);
  expect(Math.abs(secondsOf("soun") - (row.hasAudio ? row.seconds : 0))).toBeLessThan(0.5);
});

test.each(["en", "es", "pt", "fr", "de", "it", "hi", "ta", "te", "ar", "id"])(
  "%s is spoken in at least two",
  (language) => {
    expect(spoken(language).length).toBeGreaterThanOrEqual(2);
  },
);

test.each(["en", "es", "fr", "it"])("%s is spoken by people", (language) => {
  const people = spoken(language).filter((row) => row.origin.startsWith("human speech"));
  expect(people.length).toBeGreaterThanOrEqual(4);
});

test("English has reels of about half a minute and a minute", () => {
  const seconds = spoken("en").map((row) => row.seconds);
  expect(seconds.some((each) => each > 26 && each < 33)).toBe(true);
  expect(seconds.some((each) => each > 55 && each < 65)).toBe(true);
});

test("every license is explained", () => {
  const page = readFileSync(`${folder}LICENSES.md`, "utf8");
  for (const license of new Set(rows.map((row) => row.license))) expect(page).toContain(license);
  for (const name of ["Allison Smith", "June Wallack", "Carlo Flora", "LibriVox"]) expect(page).toContain(name);
});
