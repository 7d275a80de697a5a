import type { Account, ApiKey, StoredSession } from "../ports.ts";

interface KeyCaller {
  readonly kind: "key";
  readonly account: Account;
  readonly key: ApiKey;
}

/** A person who is signed in. */
export interface SessionCaller {
  readonly kind: "session";
  readonly account: Account;
  readonly session: StoredSession;
}

/** A browser extension that a person connected; it may call only a few operations. */
interface ExtensionCaller {
  readonly kind: "extension";
  readonly account: Account;
  readonly session: StoredSession;
}

export type PersonCaller = SessionCaller | ExtensionCaller;

export type AccountCaller = KeyCaller | PersonCaller;

/** An anonymous or an authenticated caller. A key that is present but wrong never becomes a caller. */
export type Caller = { readonly kind: "anonymous"; readonly address: string } | AccountCaller;
