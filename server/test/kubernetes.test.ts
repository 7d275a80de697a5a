import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { settingNames } from "../src/settings/secret-settings.ts";
import { directoryOfTests } from "./harness/temporary-directory.ts";

const folder = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url));
const run = promisify(execFile);

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
  readonly securityContext: object;
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
      };
    };
    readonly metrics?: readonly { readonly external: { readonly metric: { readonly name: string } } }[];
  };
}

const resources = (
  await Promise.all(
    ["api.yaml", "worker.yaml", "migrate.yaml"].map((name) => readFile(path.join(folder, name), "utf8")),
  )
).flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Resource));
const withPods = resources.filter(({ kind }) => kind === "Deployment" || kind === "Job");
const podOf = (name: string) => withPods.find(({ metadata }) => metadata.name === name)!.spec.template.spec;

describe("the manifests for Kubernetes", () => {
  test("set only settings that there are", async () => {
    const inMap = (await readFile(path.join(folder, "settings.env"), "utf8"))
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split("=")[0]!);
    const containers = withPods.flatMap(({ spec: { template } }) => [
      ...(template.spec.initContainers ?? []),
      ...template.spec.containers,
    ]);
    const inContainers = containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
    for (const name of [...inMap, ...inContainers]) expect(settingNames).toContain(name);
    for (const { image, securityContext } of containers) {
      expect(image).toBe("reelscript");
      expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    }
  });

  test("leave enough time for draining, and check readiness", () => {
    for (const name of ["api", "worker"]) {
      const { containers, terminationGracePeriodSeconds = 30 } = podOf(name);
      const [container] = containers;
      const drain = Number(container!.env!.find((one) => one.name === "DRAIN_SECONDS")!.value);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(drain + 5);
      expect(container!.readinessProbe!.httpGet.path).toBe("/readyz");
    }
  });

  test("select the pods that they create, and scale by existing figures", async () => {
    for (const { kind, spec } of resources)
      if (kind === "Deployment") expect(spec.template.metadata.labels).toEqual(spec.selector!.matchLabels);
    const scaled = resources.flatMap(({ spec }) => spec.metrics?.map(({ external }) => external.metric.name) ?? []);
    const metrics = await readFile(new URL("../src/telemetry/metrics.ts", import.meta.url), "utf8");
    expect(scaled).toEqual(["reelscript_queue_oldest_seconds"]);
    for (const name of scaled) expect(metrics).toContain(`"${name}"`);
  });

  const { KUBERNETES_VALIDATE: validator } = process.env;
  const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
  if (validator === undefined || !hasKubectl)
    console.warn("SKIPPED: the schemas of Kubernetes need kubectl, and kubernetes-validate in KUBERNETES_VALIDATE");
  const directory = directoryOfTests();
  test.skipIf(validator === undefined || !hasKubectl)(
    "are what the schemas of Kubernetes say (runs with kubectl and KUBERNETES_VALIDATE)",
    async () => {
      const { stdout } = await run("kubectl", ["kustomize", folder]);
      const judge = async (name: string, text: string): Promise<boolean> => {
        const file = path.join(directory, name);
        await writeFile(file, text);
        return spawnSync(validator!, ["--strict", file]).status === 0;
      };
      expect(await judge("whole.yaml", stdout)).toBe(true);
      expect(
        await judge("misspelled.yaml", stdout.replace("replicas: 2", "replicaz: 2")),
        "a field that there isn't",
      ).toBe(false);
    },
  );
});
