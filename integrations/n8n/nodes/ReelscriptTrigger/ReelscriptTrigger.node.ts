import { createHmac, timingSafeEqual } from "node:crypto";
import {
  NodeConnectionTypes,
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from "n8n-workflow";
import { request } from "../request";

export class ReelscriptTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Reelscript Trigger",
    name: "reelscriptTrigger",
    icon: { light: "file:../../icons/reelscript.svg", dark: "file:../../icons/reelscript.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when a transcription or a batch of your account finishes",
    defaults: { name: "Reelscript Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "reelscriptApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        options: [
          { name: "Batch Finished", value: "batch.finished" },
          { name: "Test Event", value: "webhook.test", description: "Somebody sent a test in the dashboard" },
          { name: "Transcription Done", value: "transcription.done" },
          { name: "Transcription Failed", value: "transcription.failed" },
        ],
        default: ["transcription.done"],
      },
      {
        displayName: "Needs an API key with full access, and one of your account's webhook endpoints",
        name: "notice",
        type: "notice",
        default: "",
      },
    ],
  };

  webhookMethods = {
    default: {
      /** An endpoint whose secret is lost, or that was disabled, is replaced. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData("node");
        const { webhooks } = (await request(this, { url: "/webhooks" })).body as unknown as { webhooks: IDataObject[] };
        const ours = webhooks.filter(({ url }) => url === this.getNodeWebhookUrl("default"));
        const isLive = ({ id, disabledAt }: IDataObject) => id === webhookId && secret !== undefined && !disabledAt;
        for (const { id } of ours.filter((webhook) => !isLive(webhook)))
          await request(this, { method: "DELETE", url: `/webhooks/${String(id)}` });
        return ours.some(isLive);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl("default");
        const { body } = await request(this, { method: "POST", url: "/webhooks", body: { url } });
        const { webhook, secret } = body as IDataObject;
        Object.assign(this.getWorkflowStaticData("node"), { webhookId: (webhook as IDataObject).id, secret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const staticData = this.getWorkflowStaticData("node");
        const { webhooks } = (await request(this, { url: "/webhooks" })).body as unknown as { webhooks: IDataObject[] };
        if (webhooks.some(({ id }) => id === staticData.webhookId))
          await request(this, { method: "DELETE", url: `/webhooks/${String(staticData.webhookId)}` });
        delete staticData.webhookId;
        delete staticData.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData("node");
    const headers = this.getHeaderData() as Record<string, string | undefined>;
    const { rawBody } = this.getRequestObject();
    if (!isGenuine(headers, rawBody, secret)) {
      this.getResponseObject().status(401).json({ error: "The signature doesn't match" });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    const events = this.getNodeParameter("events") as string[];
    if (!events.includes(String(event.type))) return {};
    return { workflowData: [this.helpers.returnJsonArray({ id: headers["webhook-id"], ...event })] };
  }
}

const toleratedSeconds = 300;

/** Checks a signature by the rules of Standard Webhooks. While a secret is being replaced, there are several signatures. */
function isGenuine(headers: Record<string, string | undefined>, body: Buffer | undefined, secret: unknown): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (typeof secret !== "string" || !body || !id || !timestamp || !signatures) return false;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleratedSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some((one) => {
    const [version, signature = ""] = one.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
