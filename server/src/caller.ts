import type { Account, ApiKey, StoredSession } from "./ports.ts";

type KeyCaller = { readonly kind: "key"; readonly account: Account; readonly key: ApiKey };

/** A person who is signed in. */
export type SessionCaller = { readonly kind: "session"; readonly account: Account; readonly session: StoredSession };

export type AccountCaller = KeyCaller | SessionCaller;

/** Who calls. A key that is present but wrong never becomes a caller. */
export type Caller = { readonly kind: "anonymous"; readonly address: string } | AccountCaller;
