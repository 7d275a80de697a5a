import {
  allOperations,
  operations,
  peopleBasePath,
  restBasePath,
  ServiceError,
  type Operation,
} from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PreviewBioPage } from "../features/bio/preview-bio-page.ts";
import type { Account } from "../ports.ts";
import type { AccountCaller, Caller } from "../rules/caller.ts";
import { refuseCrossSite, type Authenticate } from "../callers/authenticate.ts";
import type { WatchCaller } from "../callers/watch-callers.ts";
import { doorSeconds } from "../run/patience.ts";
import type { Run } from "../run/run.ts";
import { goneWith, type WhileWaiting } from "../run/admission.ts";
import { answerErrors } from "./problems/answer-problem.ts";
import { type ForOwner, serveBioPreview } from "./bio/bio-preview.ts";
import { createApp, type AppNeeds } from "./create-app.ts";
import { createEventStreams } from "./event-stream.ts";
import { createMethodTable } from "./method-table.ts";
import { serveBilling, type BillingNeeds } from "./serve-billing.ts";
import { serveBioImages, type BioImageNeeds } from "./bio/serve-bio-images.ts";
import { serveBioPages, type BioPageNeeds } from "./bio/serve-bio-pages.ts";
import { serveBioVisits, type BioVisitNeeds } from "./bio/serve-bio-visits.ts";
import { serveDashboard, type DashboardNeeds } from "./serve-dashboard.ts";
import { serveKeptFiles, type KeptFileNeeds } from "./files/serve-kept-files.ts";
import { serveUploads, type UploadNeeds } from "./files/serve-uploads.ts";
import { serveOperations } from "./serve-operations.ts";
import { serveReelPreview, type ReelPreviewNeeds } from "./serve-reel-preview.ts";
import { serveShareLinks, type ShareLinkNeeds } from "./serve-share-links.ts";
import { servePages, type PageNeeds } from "./serve-pages.ts";

/** Dependencies of the HTTP door: `run` for calls, and the needs of each route, declared beside that route. */
interface HttpNeeds
  extends
    AppNeeds,
    PageNeeds,
    DashboardNeeds,
    BillingNeeds,
    BioPageNeeds,
    ShareLinkNeeds,
    ReelPreviewNeeds,
    BioImageNeeds,
    BioVisitNeeds,
    UploadNeeds,
    KeptFileNeeds {
  readonly run: Run;
  /** Aborted with the error that waiting callers get when the service goes down. */
  readonly closing: AbortSignal;
  readonly authenticate: Authenticate;
  /** Says which extension a request comes from. */
  readonly authenticateExtension: Authenticate;
  /** Says whose session a request belongs to, and keeps the cookie up to date. A session that has ended is nobody's. */
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  readonly watchCaller: WatchCaller;
  readonly previewBioPage: PreviewBioPage;
  readonly onFault: (error: unknown, where: string) => void;
}

/** The door for HTTP: a route for each operation, for programs with a key and for people with a session, and what surrounds them. */
export function createHttp(needs: HttpNeeds): FastifyInstance {
  const { run, authenticate, baseUrl } = needs;
  const app = createApp(needs);
  const methods = createMethodTable(app);
  const personOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sends?: { readonly mayBeForm: true },
  ): Promise<Caller> => {
    const { authorization, cookie } = request.headers;
    // No site can make a browser send a token of its own accord, as it sends a cookie.
    if (authorization !== undefined) return needs.authenticateExtension(request);
    if (cookie !== undefined) refuseCrossSite(request, baseUrl(), sends);
    return needs.authenticatePerson(request, reply);
  };
  const eventStreams = createEventStreams();
  serveOperations(app, operations, {
    ...needs,
    eventStreams,
    name: "rest",
    basePath: restBasePath,
    callerOf: authenticate,
  });
  serveOperations(app, allOperations, {
    ...needs,
    eventStreams,
    name: "people",
    basePath: peopleBasePath,
    callerOf: personOf,
  });
  const forOwner =
    (operation?: Operation): ForOwner =>
    async (request, reply, work) => {
      // A preview is shown in a frame or a tab of its own by a form, and changes nothing.
      const caller = await personOf(request, reply, operation === undefined ? { mayBeForm: true } : undefined);
      if (caller.kind !== "session") throw new ServiceError("unauthorized", "Sign in to see your bio page.");
      return workFor(caller, operation, reply, work);
    };
  const forKey =
    (operation: Operation): ForOwner =>
    async (request, reply, work) => {
      const caller = await authenticate(request);
      if (caller.kind !== "key")
        throw new ServiceError("unauthorized", "Send the API key of the account that owns it.", {
          reason: "keyMissing",
        });
      return workFor(caller, operation, reply, work);
    };
  const workFor = <Result>(
    caller: AccountCaller,
    operation: Operation | undefined,
    reply: FastifyReply,
    work: (account: Account, whileWaiting: WhileWaiting) => Promise<Result>,
  ): Promise<Result> => {
    const wait = { signal: goneWith(reply.raw).signal, waitSeconds: doorSeconds.people };
    return run.within(caller, wait, async ({ whileWaiting }) => {
      await run.admit(operation, caller);
      return work(caller.account, whileWaiting);
    });
  };
  serveBioPreview(app, { preview: needs.previewBioPage, forOwner: forOwner() });
  serveBioImages(app, needs, forOwner(operations.updateBioPage));
  serveUploads(app, needs);
  serveKeptFiles(app, needs, { person: forOwner(operations.getFile), program: forKey(operations.getVideo) });
  servePages(app, needs);
  methods.reserve(`${peopleBasePath}/*`);
  serveDashboard(app, needs);
  serveBioPages(app, needs);
  serveShareLinks(app, needs);
  serveReelPreview(app, needs);
  serveBioVisits(app, needs);
  serveBilling(app, needs);
  answerErrors(app, { ...needs, methods });
  return app;
}
