export type ObjectStorageSettings =
  | { readonly kind: "database" }
  | { readonly kind: "disk" }
  | {
      readonly kind: "s3";
      readonly endpoint: string;
      readonly bucket: string;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

type Given = { readonly [Name in (typeof needed)[number]]?: string | undefined } & {
  readonly OBJECT_STORAGE: ObjectStorageSettings["kind"];
  readonly S3_REGION: string;
};

export function wrongObjectStorage(given: Given): string[] {
  const missing = needed.filter((name) => given[name] === undefined);
  if (given.OBJECT_STORAGE !== "s3" || missing.length === 0) return [];
  return [`${missing.join(", ")}: OBJECT_STORAGE=s3 needs ${needed.join(", ")}`];
}

/** Of settings with which nothing is wrong. */
export function objectStorageOf(given: Given): ObjectStorageSettings {
  if (given.OBJECT_STORAGE !== "s3") return { kind: given.OBJECT_STORAGE };
  return {
    kind: "s3",
    endpoint: given.S3_ENDPOINT!.replace(/\/+$/, ""),
    bucket: given.S3_BUCKET!,
    region: given.S3_REGION,
    accessKeyId: given.S3_ACCESS_KEY_ID!,
    secretAccessKey: given.S3_SECRET_ACCESS_KEY!,
  };
}
