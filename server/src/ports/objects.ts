/**
 * Stores bytes by name, outside the database: in a folder, or in an object storage that speaks S3. Every method ends within
 * seconds, whatever the storage does, and throws `ObjectsAway` if it cannot be relied on at the moment, and `ObjectTooLarge`.
 */
export interface Objects {
  /** Replaces what has the name. */
  readonly put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  /** `undefined` only if the storage says that there is no such object. */
  readonly get: (name: string) => Promise<Uint8Array | undefined>;
  /** Removing a missing object isn't an error. */
  readonly remove: (name: string) => Promise<void>;
}

/** Letters, digits, dashes and underscores in parts between slashes, with dots inside parts: a path anywhere. */
export const objectName = /^(?=.{1,500}$)[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/;

/** Nothing larger is stored or read. */
export const largestObjectBytes = 4_000_000;

/** The object is larger than any that is stored or read. Waiting doesn't make it smaller. */
export class ObjectTooLarge extends Error {
  override readonly name = "ObjectTooLarge";

  constructor() {
    super(`The object is too large: at most ${largestObjectBytes} bytes are stored or read.`);
  }
}

/** The storage can't be reached, is slow, refuses, or gives an implausible answer. */
export class ObjectsAway extends Error {
  override readonly name = "ObjectsAway";
}
