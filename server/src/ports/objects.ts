/**
 * Keeps bytes under names, outside of the database: a folder, or an object storage that speaks S3. Every method ends within
 * seconds, whatever the storage does, and throws `ObjectsAway` when it cannot be relied upon right now.
 */
export interface Objects {
  /** Replaces what has the name. */
  readonly put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  /** `undefined` only when the storage says that there is nothing of this name. */
  readonly get: (name: string) => Promise<Uint8Array | undefined>;
  /** Removing a missing object isn't an error. */
  readonly remove: (name: string) => Promise<void>;
}

/** Letters, digits, dashes and underscores in parts between slashes, with dots inside parts: a path anywhere. */
export const objectName = /^(?=.{1,500}$)[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/;

/** Nothing larger is stored or read. */
export const largestObjectBytes = 4_000_000;

/** The storage is away, slow, refuses, or answers what it cannot mean. */
export class ObjectsAway extends Error {
  override readonly name = "ObjectsAway";
}
