import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import { createFairLine } from "../../rules/fair-line.ts";

/** Memory per hash is 128 bytes times `cost` and `blockSize`: 32 MiB. */
interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

const current: Parameters = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };
const saltBytes = 16;
const hashBytes = 32;
const mostMemory = 64 * 1024 * 1024;

/** Node computes hashes on four threads, which also read files and resolve names. */
const atATime = 2;
const mostWaiting = 40;
/** One network must not take all places. */
const mostWaitingOfNetwork = 5;
const longestWaitSeconds = 10;
const busySeconds = 5;

export interface PasswordHasher {
  /** `scrypt$<cost>$<block size>$<parallelization>$<salt>$<hash>`, the last two as base64url. Throws `unavailable` when busy. */
  hash(password: string, network: string): Promise<string>;
  /** Takes as long without a stored hash as with one, and is then false. Throws `unavailable` when busy. */
  verify(password: string, stored: string | undefined, network: string): Promise<boolean>;
}

/** Hashes passwords outside the main thread, a few at a time. */
export function createPasswordHasher(): PasswordHasher {
  const line = createFairLine({
    atATime,
    perOwner: 1,
    waiting: mostWaiting,
    refusal: () =>
      new ServiceError("unavailable", "Too many people are signing in. Try again in a few seconds.", {
        retryAfter: busySeconds,
      }),
  });
  const compute = (password: string, salt: Uint8Array, parameters: Parameters, network: string): Promise<Buffer> =>
    line.run(network, () => scryptOf(password, salt, parameters), {
      mostWaiting: mostWaitingOfNetwork,
      seconds: longestWaitSeconds,
    });

  return {
    async hash(password, network) {
      const salt = randomBytes(saltBytes);
      return written(current, salt, await compute(password, salt, current, network));
    },
    async verify(password, stored, network) {
      const { parameters, salt, hash } = read(
        stored ?? written(current, randomBytes(saltBytes), Buffer.alloc(hashBytes)),
      );
      const computed = await compute(password, salt, parameters, network);
      return timingSafeEqual(computed, hash) && stored !== undefined;
    },
  };
}

/** Keyboards write the same letter in several ways. */
const normalized = (password: string): string => password.normalize("NFKC");

const scryptOf = (password: string, salt: Uint8Array, parameters: Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { cost, blockSize, parallelization } = parameters;
    const options: ScryptOptions = { cost, blockSize, parallelization, maxmem: mostMemory };
    scrypt(normalized(password), salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)));
  });

const written = ({ cost, blockSize, parallelization }: Parameters, salt: Buffer, hash: Buffer): string =>
  ["scrypt", cost, blockSize, parallelization, salt.toString("base64url"), hash.toString("base64url")].join("$");

const shape = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]{43})$/;

function read(stored: string) {
  const [, cost, blockSize, parallelization, salt = "", hash = ""] = shape.exec(stored) ?? [];
  if (cost === undefined) throw new Error("A stored password isn’t written as this release writes them");
  return {
    parameters: { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) },
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
}

/** Characters of a password. */
const passwordLength = { least: 12, most: 200 };

/** True for a text that is nobody's password. */
export const isTooLong = (password: string): boolean => Array.from(normalized(password)).length > passwordLength.most;

/** Says in a sentence why a new password is refused; `undefined` if it is accepted. */
export function problemOfPassword(password: string, email: string): string | undefined {
  const { least, most } = passwordLength;
  const characters = Array.from(normalized(password));
  if (characters.length < least) return `Choose a password of at least ${least} characters.`;
  if (characters.length > most) return `Choose a password of at most ${most} characters.`;
  if (new Set(characters).size < 4 || normalized(password).toLowerCase() === email)
    return "This password is easy to guess. Choose another one.";
  return undefined;
}
