import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiKey } from "../../src/callers/authenticate.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { createN8nContext, readFromN8n, type N8nCredential, type N8nNode } from "../harness/n8n-context.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { startReceiver, type ReceivedEvent, type Receiver } from "../harness/start-receiver.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate });
const node = await readFromN8n<N8nNode>("nodes/ReelscriptTrigger/ReelscriptTrigger.node");
const credential = await readFromN8n<N8nCredential>("credentials/ReelscriptApi.credentials");
let receiver: Receiver;
beforeAll(async () => void (receiver = await startReceiver()));
afterAll(() => receiver.close());

/** A workflow with the trigger: n8n keeps what the node wrote, and answers its address. */
function createWorkflow(apiKey: string, events?: readonly string[]) {
  const staticData: { webhookId?: string; secret?: string } = {};
  const url = `${receiver.url}/webhook/${apiKey.slice(-8)}/webhook`;
  const entered = { baseUrl: service.url, apiKey };
  const items = [events ? { events } : {}];
  const context = (offers: object) =>
    createN8nContext({
      node,
      credential,
      entered,
      items,
      offers: { getWorkflowStaticData: () => staticData, ...offers },
    });
  const hooks = context({ getNodeWebhookUrl: () => url });
  const { checkExists, create, delete: remove } = node.webhookMethods.default;
  return {
    kept: staticData,
    url,
    activate: async () => (await checkExists.call(hooks)) || create.call(hooks),
    deactivate: () => remove.call(hooks),
    /** The items with which the workflow starts, or the refusal. */
    async receive({ headers, body }: Pick<ReceivedEvent, "headers" | "body">) {
      let refused: number | undefined;
      const response = {
        status(code: number) {
          refused = code;
          return { json: () => undefined };
        },
      };
      const { workflowData, noWebhookResponse } = await node.webhook.call(
        context({
          getHeaderData: () => headers,
          getBodyData: () => JSON.parse(body),
          getRequestObject: () => ({ rawBody: Buffer.from(body) }),
          getResponseObject: () => response,
        }),
      );
      expect(noWebhookResponse === true).toBe(refused !== undefined);
      return refused ?? workflowData?.[0].map(({ json }) => json);
    },
  };
}

const webhooksOf = async (key: string) => (await rest(service.url, "/webhooks", { key })).body.webhooks;
const newReel = (options = {}): string => service.newReel(options);
/** Does something, and returns the event that comes to the address next. */
async function eventAfter(url: string, act: () => Promise<unknown>): Promise<ReceivedEvent> {
  const { pathname } = new URL(url);
  const events = () => receiver.events.filter((event) => event.path === pathname);
  const before = events().length;
  await act();
  await expect.poll(events).toHaveLength(before + 1);
  return events().at(-1)!;
}

test("a workflow that is active starts with each transcription that is done", async () => {
  const { key } = await service.createCaller();
  const workflow = createWorkflow(key);
  expect(await workflow.activate()).toBe(true);
  expect(await webhooksOf(key)).toMatchObject([{ id: workflow.kept.webhookId, url: workflow.url }]);

  const reelUrl = newReel();
  const event = await eventAfter(workflow.url, () => transcribe(service.url, key, reelUrl));
  const data = {
    status: "done",
    reelUrl,
    transcriptionId: expect.stringMatching(/^trn_/),
    scriptId: expect.stringMatching(/^scr_/),
  };
  expect(await workflow.receive(event)).toMatchObject([
    { id: event.headers["webhook-id"], type: "transcription.done", data },
  ]);

  const deleted = await eventAfter(workflow.url, () =>
    transcribe(service.url, key, newReel({ availability: "deleted" })),
  );
  expect(await workflow.receive(deleted), "nobody asked for failures").toBeUndefined();
  expect(await workflow.deactivate()).toBe(true);
  expect(await webhooksOf(key)).toEqual([]);
  expect(workflow.kept).toEqual({});
  expect(await workflow.deactivate(), "twice").toBe(true);
});

test("reactivated, it keeps its endpoint, or replaces an unusable one", async () => {
  const { key } = await service.createCaller();
  const workflow = createWorkflow(key);
  await workflow.activate();
  const { ...first } = workflow.kept;
  await workflow.activate();
  expect(workflow.kept).toEqual(first);

  delete workflow.kept.secret;
  await workflow.activate();
  expect(workflow.kept.webhookId).not.toBe(first.webhookId);
  expect(await webhooksOf(key)).toMatchObject([{ id: workflow.kept.webhookId }]);

  receiver.answer = (response) => response.writeHead(410).end();
  await eventAfter(workflow.url, () => transcribe(service.url, key, newReel()));
  await expect.poll(async () => (await webhooksOf(key))[0].disabledAt).not.toBeNull();
  receiver.answer = (response) => response.writeHead(204).end();
  await workflow.activate();
  expect(await webhooksOf(key)).toMatchObject([{ id: workflow.kept.webhookId, disabledAt: null }]);
});

test("what isn't signed with the secret, just now, starts nothing", async () => {
  const { key } = await service.createCaller();
  const workflow = createWorkflow(key, ["webhook.test"]);
  await workflow.activate();
  const { webhookId, secret } = workflow.kept;
  const event = await eventAfter(workflow.url, () =>
    rest(service.url, `/webhooks/${webhookId}/test`, { key, method: "POST" }),
  );
  expect(await workflow.receive(event)).toMatchObject([{ type: "webhook.test" }]);

  const changed = (headers: Record<string, string | undefined>, body = event.body) => ({
    headers: { ...event.headers, ...headers },
    body,
  });
  const signed = (seconds: number) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
    const signature = createHmac("sha256", Buffer.from(secret!.slice(6), "base64"))
      .update(`msg_1.${timestamp}.${event.body}`)
      .digest("base64");
    return changed({
      "webhook-id": "msg_1",
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")} v1,${signature}`,
    });
  };
  expect(await workflow.receive(signed(-290)), "with the signature of an old secret before it").toHaveLength(1);
  for (const forged of [
    signed(-310),
    signed(310),
    changed({}, event.body.replace("webhook.test", "transcription.done")),
    changed({ "webhook-id": "msg_other" }),
    changed({ "webhook-timestamp": "soon" }),
    changed({ "webhook-signature": undefined }),
    changed({ "webhook-signature": "v1," }),
    changed({ "webhook-signature": `v2,${String(event.headers["webhook-signature"]).slice(3)}` }),
  ])
    expect(await workflow.receive(forged)).toBe(401);
  delete workflow.kept.secret;
  expect(await workflow.receive(event), "without a secret").toBe(401);
});

test("an unauthorized key, and an account with too many endpoints, see why", async () => {
  const { key } = await service.createCaller();
  const urls = [1, 2, 3, 4, 5].map((number) => `${receiver.url}/${number}`);
  for (const url of urls) await rest(service.url, "/webhooks", { key, body: { url } });
  await expect(createWorkflow(key).activate()).rejects.toThrow("You already have 5 webhook endpoints");
  const { key: readOnly, ...hashed } = createApiKey();
  const { accountId } = await service.createCaller();
  await service.store.keys.create({ accountId, name: "n8n", ...hashed, readOnly: true, now: service.clock.now() });
  await expect(createWorkflow(readOnly).activate()).rejects.toThrow("read-only");
  await expect(createWorkflow("svc_sk_wrong").activate()).rejects.toMatchObject({ httpCode: "401" });
});
