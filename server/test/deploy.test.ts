import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (name: string): Promise<string> => readFile(new URL(`../../${name}`, import.meta.url), "utf8");
const names = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, name]) => name!);

const settings = names(await read(".env.example"), /^#?([A-Z][A-Z0-9_]*)=/gm);
const units = await Promise.all(
  (await readdir(new URL("../../deploy/systemd", import.meta.url))).map(async (name) => ({
    name,
    text: await read(`deploy/systemd/${name}`),
  })),
);
const [image, composition, proxy, example] = await Promise.all(
  ["Dockerfile", "compose.yaml", "haproxy.cfg", "compose.env.example"].map((name) => read(`deploy/${name}`)),
);

test("what is deployed sets only settings that there are", () => {
  const inImage = names(/^ENV (.*)$/m.exec(image!)![1]!, /(\w+)=/g);
  const inUnits = units.flatMap(({ text }) =>
    names(text, /^Environment=(.*)$/gm).flatMap((line) => names(line, /(\w+)=/g)),
  );
  const blocks = composition!.split("environment: &environment")[1]!.split("depends_on")[0]!;
  const inComposition = names(blocks, /^ {4}([A-Z0-9_]+):/gm);
  expect([inImage.length, inUnits.length, inComposition.length].every((count) => count > 4)).toBe(true);
  for (const name of [...inImage, ...inUnits, ...inComposition]) expect(settings).toContain(name);
});

test("the composition asks for nothing that its example does not name, and tells the proxy what it needs", () => {
  const asked = names(composition!, /\$\{([A-Z0-9_]+)/g);
  expect([...new Set(asked)].toSorted()).toEqual(names(example!, /^([A-Z0-9_]+)=/gm).toSorted());
  for (const name of names(proxy!, /"\$\{([A-Z0-9_]+)\}"/g))
    expect(composition).toMatch(new RegExp(`^ {6}${name}: `, "m"));
});

test("the image and the units start the same program, without rights", () => {
  expect(image).toContain('CMD ["node", "server/dist/main.js"]');
  expect(image).toMatch(/^USER node$/m);
  expect(units.map(({ name }) => name).toSorted()).toEqual(["reelscript-api@.service", "reelscript-worker@.service"]);
  for (const { text } of units) {
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/node server\/dist\/main\.js$/m);
    for (const line of ["User=reelscript", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="])
      expect(text.split("\n")).toContain(line);
  }
});
