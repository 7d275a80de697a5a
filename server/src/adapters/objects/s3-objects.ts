import { AwsClient } from "aws4fetch";
import { largestObjectBytes, objectName, ObjectsAway, ObjectTooLarge, type Objects } from "../../ports/objects.ts";

export interface S3Settings {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For all of one request. */
  readonly patienceMilliseconds?: number;
  /** How long nobody asks after several requests in a row have failed. */
  readonly restMilliseconds?: number;
}

const mostAtOnce = 32;
const failuresBeforeRest = 4;
const longestErrorBytes = 10_000;

/**
 * A bucket of an object storage that speaks S3. If it hangs, it delays few callers for seconds: at most 32 wait for it, and
 * after four failures in a row nobody does for a while.
 */
export function createS3Objects(settings: S3Settings): Objects {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const { patienceMilliseconds = 5_000, restMilliseconds = 5_000 } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  let atOnce = 0;
  let failures = 0;
  let restUntil = 0;

  async function ask<Result>(
    method: string,
    name: string,
    read: (response: Response) => Promise<Result>,
    body?: { readonly bytes: Uint8Array; readonly type: string },
  ): Promise<Result> {
    if (!objectName.test(name)) throw new Error("not a name of an object");
    if (performance.now() < restUntil) throw new ObjectsAway("The object storage did not answer before.");
    if (atOnce >= mostAtOnce) throw new ObjectsAway("Too many requests wait for the object storage.");
    atOnce += 1;
    try {
      const request = await client.sign(`${endpoint}/${bucket}/${name}`, {
        method,
        ...(body && { body: Buffer.from(body.bytes), headers: { "content-type": body.type } }),
      });
      const signal = AbortSignal.timeout(patienceMilliseconds);
      const response = await fetch(request, { signal, redirect: "error" });
      const result = await read(response);
      failures = 0;
      return result;
    } catch (error) {
      // The storage answered.
      if (error instanceof ObjectTooLarge) {
        failures = 0;
        throw error;
      }
      failures += 1;
      if (failures >= failuresBeforeRest) restUntil = performance.now() + restMilliseconds;
      if (error instanceof ObjectsAway) throw error;
      throw new ObjectsAway("The object storage is not answering.", { cause: error });
    } finally {
      atOnce -= 1;
    }
  }

  return {
    async put(name, bytes, type) {
      if (bytes.length > largestObjectBytes) throw new ObjectTooLarge();
      await ask("PUT", name, done, { bytes, type });
    },
    get: (name) =>
      ask("GET", name, async (response) => {
        if (response.status === 404) return missing(response);
        if (response.status !== 200) throw await refusal(response);
        const promised = response.headers.get("content-length");
        if (Number(promised) > largestObjectBytes) {
          await response.body?.cancel();
          throw new ObjectTooLarge();
        }
        const bytes = await readAtMost(response, largestObjectBytes);
        if (promised !== null && response.headers.get("content-encoding") === null && Number(promised) !== bytes.length)
          throw new ObjectsAway("The object storage sent less than it promised.");
        return bytes;
      }),
    remove: (name) => ask("DELETE", name, (response) => (response.status === 404 ? missing : done)(response)),
  };
}

async function done(response: Response): Promise<void> {
  if (response.status !== 200 && response.status !== 204) throw await refusal(response);
  await response.body?.cancel();
}

/** A missing bucket, or a page from an intermediary, doesn't mean that the object is gone. */
async function missing(response: Response): Promise<undefined> {
  const code = await codeOf(response);
  if (code !== "NoSuchKey") throw new ObjectsAway(`The object storage answered 404 ${code}.`);
  return undefined;
}

async function refusal(response: Response): Promise<ObjectsAway> {
  return new ObjectsAway(`The object storage answered ${response.status} ${await codeOf(response)}.`);
}

async function codeOf(response: Response): Promise<string> {
  const text = new TextDecoder().decode(await readAtMost(response, longestErrorBytes));
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "without a code";
}

async function readAtMost(response: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // It promised no such length, which storages do. Leaving the loop ends the connection.
    if (length > most) throw new ObjectsAway("The object storage sent more than is ever stored.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
