import S3rver from "s3rver";
import { startWay } from "./start-way.ts";

/** An object storage, the way to it, and the settings of a process that uses it. */
export async function startStorage(directory: string) {
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "pictures", configs: [] }],
  });
  const way = await startWay({ host: "127.0.0.1", port: (await server.run()).port });
  const settings = {
    OBJECT_STORAGE: "s3",
    S3_ENDPOINT: `http://127.0.0.1:${way.port}`,
    S3_BUCKET: "pictures",
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
  };
  return { way, settings, close: () => way.close().then(() => server.close()) };
}
