import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { createN8nContext, readFromN8n, type N8nCredential, type N8nNode } from "../harness/n8n-context.ts";
import { root } from "../harness/start-program.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

interface WorkflowNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly nodes: readonly WorkflowNode[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>>;
}

const service = serviceOfTests({ transcriber: createGatedTranscriber(), repeated: ["advance-batches"] });
const node = await readFromN8n<N8nNode>("nodes/Reelscript/Reelscript.node");
const trigger = await readFromN8n<N8nNode>("nodes/ReelscriptTrigger/ReelscriptTrigger.node");
const credential = await readFromN8n<N8nCredential>("credentials/ReelscriptApi.credentials");
const page = await readFile(path.join(root, "docs/schedules.md"), "utf8");
const workflows = Array.from(page.matchAll(/^```json\n(.*?)^```$/gms), ([, json = ""]) => JSON.parse(json) as Workflow);

const ours: Readonly<Record<string, N8nNode>> = {
  "n8n-nodes-reelscript.reelscript": node,
  "n8n-nodes-reelscript.reelscriptTrigger": trigger,
};

test("the page has two workflows, whose nodes are connected and have only parameters that the editor shows", () => {
  expect(workflows).toHaveLength(2);
  for (const { nodes, connections } of workflows) {
    const names = nodes.map(({ name }) => name);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map((end) => end.node));
    expect([...Object.keys(connections), ...targets].toSorted()).toEqual(names.toSorted());
    for (const { type, parameters } of nodes) {
      const properties = ours[type]?.description.properties;
      if (properties === undefined) continue;
      const context = createN8nContext({
        node: ours[type]!,
        credential,
        entered: { baseUrl: service.url, apiKey: "" },
        items: [parameters],
      }) as { readonly getNodeParameter: (name: string, item: number) => unknown };
      for (const [name, value] of Object.entries(parameters)) {
        expect(context.getNodeParameter(name, 0), name).toEqual(value);
        const { options } = properties.find((one) => one.name === name && one.options !== undefined) ?? {};
        const values = properties.filter((one) => one.name === name).flatMap((one) => one.options ?? []);
        if (options !== undefined)
          for (const one of [value].flat()) expect(values.map((option) => option.value)).toContain(one);
      }
    }
  }
});

test("the nodes of the page send a batch and read its scripts", async () => {
  const { key: apiKey } = await service.createCaller({ plan: "creator" });
  const run = async (nodeName: string, changed: Readonly<Record<string, unknown>> = {}) => {
    const { parameters } = workflows.flatMap(({ nodes }) => nodes).find(({ name }) => name === nodeName)!;
    const context = createN8nContext({
      node,
      credential,
      entered: { baseUrl: service.url, apiKey },
      items: [{ ...parameters, ...changed }],
    });
    return (await node.execute.call(context))[0];
  };
  // The links of the page are of a public platform, of which the tests ask nothing.
  const urls = [service.newReel(), service.newReel()].join("\n");
  const [batch] = await run("Transcribe the list", { urls });
  expect(batch!.json).toMatchObject({ status: "open", counts: { total: 2 } });
  await expect.poll(async () => (await run("Read the newest scripts")).length).toBe(2);
  expect((await run("Read the newest scripts")).map(({ json }) => json.transcript)).toEqual(
    Array(2).fill("The same sentence for every reel."),
  );
});
