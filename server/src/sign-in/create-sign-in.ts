import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { createAuthenticatePerson } from "./create-authenticate-person.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { serveDevelopmentProvider } from "./serve-development-provider.ts";
import { callbackPath, createSignInParts, type SignInNeeds } from "./sign-in-parts.ts";
import { signOut } from "./sign-out.ts";

interface SignIn {
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Adds the routes. */
  serve(app: FastifyInstance): void;
}

/** The door where people sign in and out. */
export function createSignIn(needs: SignInNeeds): SignIn {
  const parts = createSignInParts(needs);
  const { guard, uncounted, development } = parts;
  return {
    authenticatePerson: createAuthenticatePerson(parts),
    serve(app) {
      app.get("/auth/login", guard(beginSignIn(parts)));
      app.get(callbackPath, uncounted(finishSignIn(parts)));
      app.post("/auth/logout", uncounted(signOut(parts)));
      if (development) serveDevelopmentProvider(app, { ...needs, provider: development, guard });
    },
  };
}
