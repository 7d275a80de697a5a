import { useMutation, useQuery } from "@tanstack/react-query";
import { CallError } from "@reelscript/client/core";

/** A form of the sign-in: REST and its errors don't apply there. */
async function send<Answer>(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(path, {
    headers: { accept: "application/json" },
    ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
  }).catch(() => {
    throw new CallError("unreachable", "Can’t reach Reelscript. Check your connection.");
  });
  const body = (await response.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
  if (response.ok) return body as Answer; // safe: each path answers with its own fields
  const message = body.error?.message ?? "Something went wrong on our side. Try again.";
  throw new CallError(codes[response.status] ?? "internalError", message, { status: response.status });
}

const codes: Readonly<Record<number, "invalidRequest" | "unauthorized" | "notFound" | "rateLimited" | "unavailable">> =
  {
    400: "invalidRequest",
    401: "unauthorized",
    403: "invalidRequest",
    404: "notFound",
    412: "invalidRequest",
    429: "rateLimited",
    503: "unavailable",
  };

const useMethod = (enabled: boolean) =>
  useQuery({
    queryKey: ["signInMethod"],
    queryFn: () => send<{ readonly method: string; readonly mails?: boolean }>("/auth/method"),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });

/** True if the service mails links for forgotten passwords. */
export const useMailsLinks = (): boolean => useMethod(true).data?.mails === true;

export const useForgottenPassword = () =>
  useMutation<object, Error, { readonly email: string }>({
    mutationFn: ({ email }) => send<object>("/auth/password/forgotten", { email }),
  });

/**
 * How people sign in: with a password that the service keeps, or by a provider's page. Undefined until it is known. A state
 * is in the address only when the service asked for a password.
 */
export function useSignInMethod(state?: string): "password" | "provider" | undefined {
  const { data, isError } = useMethod(state === undefined);
  if (state !== undefined || data?.method === "password") return "password";
  // The provider's button leads to the right page in any case.
  return data !== undefined || isError ? "provider" : undefined;
}

/** Begins a sign-in unless one has begun, and returns its state; `undefined` if the browser is led elsewhere. */
async function begin(state: string | undefined, target: URLSearchParams): Promise<string | undefined> {
  if (state !== undefined) return state;
  const begun = await send<{ readonly location: string }>(`/auth/login?${target}`);
  const address = new URL(begun.location);
  const given = address.searchParams.get("state");
  if (given !== null && address.origin === location.origin) return given;
  location.assign(address);
  return undefined;
}

interface SignIn {
  /** The state of a sign-in that has begun, from the page's address. */
  readonly state?: string | undefined;
  /** Has `return_to`. */
  readonly target: URLSearchParams;
  readonly fields: Readonly<Record<string, string>>;
}

/** Sends the fields with the state of a sign-in; one that took too long begins again. Then the browser leaves this document. */
const useSignInAt = (path: string) =>
  useMutation<void, Error, SignIn>({
    mutationFn: async ({ state, target, fields }) => {
      const attempt = async (given: string | undefined): Promise<void> => {
        const begun = await begin(given, target);
        if (begun === undefined) return;
        const { location: next } = await send<{ readonly location: string }>(path, { ...fields, state: begun });
        location.assign(next);
      };
      await attempt(state).catch((error: unknown) => {
        if (state === undefined || !(error instanceof CallError) || error.status !== 412) throw error;
        return attempt(undefined);
      });
    },
  });

export const usePasswordSignIn = () => useSignInAt("/auth/password");

export const useAcceptInvitation = () => useSignInAt("/auth/invitation/accept");

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ["invitation", token],
    queryFn: () => send<{ readonly email: string; readonly isReset: boolean }>("/auth/invitation", { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useChangePassword = (onDone: () => void) =>
  useMutation<object, Error, { readonly current: string; readonly password: string }>({
    mutationFn: ({ current, password }) => send<object>("/auth/password/change", { current, password }),
    onSuccess: onDone,
  });
