import { peopleBasePath, restBasePath, type ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorHeaders } from "../../run/error-response.ts";
import { noticeHeaders, noticePage, type Notice } from "./notice-page.ts";
import { prefers } from "../send-answer.ts";
import { sendError } from "./send-error.ts";

/** Only programs call these, whatever they accept. */
const pathsOfPrograms = [restBasePath, peopleBasePath, "/mcp", "/webhooks", "/.well-known"];

/** Whether a person in a browser asks, who can do nothing with JSON. */
export function isForPeople(request: Pick<FastifyRequest, "url" | "headers">): boolean {
  const [path = ""] = request.url.split("?", 1);
  return !pathsOfPrograms.some((base) => path === base || path.startsWith(`${base}/`)) && prefers(request, "text/html");
}

/** An error as a page for people and as the envelope for programs. */
export function answerProblem(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.header("vary", "accept");
  if (!isForPeople(request)) return sendError(reply, error);
  return sendNotice(reply.headers(errorHeaders(error)), error.status, noticeOf(error, request.id));
}

export const sendNotice = (reply: FastifyReply, status: number, notice: Notice): FastifyReply =>
  reply.code(status).headers(noticeHeaders).send(noticePage(notice));

function noticeOf({ code, reason, status, message }: ServiceError, requestId: string): Notice {
  if (reason === "bioPageTakenDown")
    return {
      title: "This page was taken down",
      text: "The operator of this service removed it because of what it showed or where it led. If it’s yours, sign in: you can still edit it.",
      captions: ["Off", "the air"],
    };
  if (code === "notFound" && reason !== "bioLinkGone")
    return {
      title: "There’s nothing at this address",
      text: "It may have moved, or the address has a typing error.",
      captions: ["No page", "here"],
    };
  if (status === 503)
    return {
      title: "We’ll be right back",
      text: "Try again in a few seconds.",
      captions: ["One", "moment"],
      requestId,
    };
  if (status >= 500)
    return {
      title: "Something broke on our side",
      text: "Try again. If it keeps happening, send us the number below.",
      captions: ["Cut,", "please"],
      requestId,
    };
  return { title: "That didn’t work", text: message, captions: ["Take", "two"] };
}
