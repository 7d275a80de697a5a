import { expect, test } from "vitest";
import { createHandlers, createSharedParts } from "../../src/create-handlers.ts";
import { readConfig } from "../../src/settings/config.ts";
import { Settings } from "../../src/settings/environment-settings.ts";
import { secretSettings } from "../../src/settings/secret-settings.ts";
import { openPorts } from "../../src/start/open-ports.ts";
import { portsOf, serviceSettingsOf } from "../../src/start/service-parts.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { openTestStore } from "../harness/test-stores.ts";

const directory = directoryOfTests();

/** Different in each setting, and nowhere else. */
const secretOf = (name: string): string => `hidden-${name.toLowerCase().replaceAll("_", "-")}-hidden`;

const schemeOf = (name: string): string =>
  name.startsWith("DATABASE") ? "postgres" : name.startsWith("SMTP") ? "smtps" : "http";
const isAddress = (name: string): boolean => /_URL|_ENDPOINT$|PROXY$/.test(name);
const secretEnvironment = Object.fromEntries(
  secretSettings
    // The environment has one recognizer elsewhere, the one for Hindi; the settings of the others would be unused.
    .filter((name) => !name.startsWith("OPENAI_") || name.endsWith("_HI"))
    .map((name) => [name, isAddress(name) ? `${schemeOf(name)}://user:${secretOf(name)}@127.0.0.1:9` : secretOf(name)]),
);
const environment = {
  ...secretEnvironment,
  NODE_ENV: "production",
  ROLE: "api",
  BASE_URL: "https://reelscript.example",
  OIDC_ISSUER: "https://login.example",
  MAIL_FROM: "no-reply@reelscript.example",
  OIDC_CLIENT_ID: "reelscript",
  OBJECT_STORAGE: "s3",
  S3_BUCKET: "pictures",
  SOURCES: "platform",
  TRANSCRIBER_HI: "openai",
};

/** The secrets that can be reached from a value by its properties, with the way there. */
function secretsIn(root: unknown): string[] {
  const secrets: string[] = [];
  const seen = new Set<unknown>();
  const left: [value: unknown, keyPath: string][] = [[root, ""]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, keyPath] = next;
    if (typeof value === "string" && /hidden-[\w-]+-hidden/.test(value)) secrets.push(`${keyPath}: ${value}`);
    if (value === null || !/^(object|function)$/.test(typeof value) || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      if (value.byteLength < 1_000_000) left.push([Buffer.from(value.buffer).toString("latin1"), keyPath]);
      continue;
    }
    if (value instanceof Map)
      for (const [key, one] of value) left.push([key, keyPath], [one, `${keyPath}.${String(key)}`]);
    if (value instanceof Set) for (const one of value) left.push([one, keyPath]);
    for (const [name, { value: property }] of Object.entries(Object.getOwnPropertyDescriptors(value)))
      left.push([property, `${keyPath}.${name}`]);
  }
  return secrets;
}

/** The same parts; notes each that is read, and so could reach a handler. A copy of all reads all. */
const noting = <Parts extends object>(parts: Parts, readParts: Map<string, unknown>): Parts =>
  new Proxy(parts, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      readParts.set(String(name), value);
      return value;
    },
  });

test("every setting that sounds secret is listed as one", () => {
  const secret = Object.keys(Settings.shape).filter((name) =>
    /SECRET|_KEY|PASSWORD|TOKEN|^DATABASE\w*_URL|_PROXY$/.test(name),
  );
  expect(secret).toContain("STRIPE_SECRET_KEY");
  expect(secret.filter((name) => name !== "TRUST_PROXY" && !secretSettings.includes(name))).toEqual([]);
});

test("an error names a secret setting without its value", () => {
  for (const name of secretSettings.filter((one) => isAddress(one) && one in Settings.shape)) {
    const read = () => readConfig({ [name]: `nonsense ${secretOf(name)}` }, "/");
    expect(read).toThrow(name);
    expect(read).not.toThrow(secretOf(name));
  }
});

test("no handler is given a secret setting", async () => {
  const config = readConfig(environment, directory);
  for (const name of Object.keys(secretEnvironment)) expect(JSON.stringify(config)).toContain(secretOf(name));
  expect(secretsIn(config).length).toBeGreaterThanOrEqual(Object.keys(secretEnvironment).length);

  const clock = createTestClock();
  const store = await openTestStore();
  const ports = await openPorts(config, clock, directory, {
    onNotice: () => undefined,
    onFault: () => undefined,
    onDownload: () => undefined,
    onHint: () => undefined,
    turns: store.platformPace,
  });
  try {
    const copied = new Map<string, unknown>();
    void { ...noting(serviceSettingsOf(config, directory, ports.parts), copied) };
    expect(secretsIn(copied)).not.toEqual([]);

    const readParts = new Map<string, unknown>();
    const given = {
      settings: noting(serviceSettingsOf(config, directory, ports.parts), readParts),
      ports: noting({ ...portsOf(ports, store), biller: ports.biller! }, readParts),
      baseUrl: () => "https://reelscript.example",
      listener: { onFault: () => undefined, onNotice: () => undefined },
      longWork: () => Promise.reject(new Error("nothing is long here")),
      guides: [],
      taskNames: () => [],
    };
    createHandlers({ ...given, ...createSharedParts(given) });
    expect([...readParts.keys()]).toEqual(expect.arrayContaining(["biller", "locator", "recognizer", "store"]));
    expect(readParts.has("signIn")).toBe(false);
    expect(secretsIn(readParts)).toEqual([]);
  } finally {
    await ports.close();
    await store.close();
  }
});
