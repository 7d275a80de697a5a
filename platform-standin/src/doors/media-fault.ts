import type { ServerResponse } from "node:http";
import { dripBody, endlessBody } from "./slow-bodies.ts";

/** What goes wrong between the media host and its caller; the bytes themselves may be wrong too. */
export type MediaFault =
  | { name: "expiredLink" }
  /** The first address that the platform gives has run out, those after it have not. */
  | { name: "endedOnce" }
  | { name: "notFound" }
  | { name: "midBodyCut" }
  | { name: "lengthTooLong" }
  | { name: "lengthTooShort" }
  | { name: "slowDrip" }
  | { name: "endlessBody" }
  | { name: "declaredBytes"; bytes: number }
  | { name: "redirect"; location: string }
  | { name: "redirectToForbidden" }
  | { name: "redirectLoop" }
  | { name: "link"; url: string }
  | { name: "contentType"; type: string };

const filler = Buffer.alloc(65_536);

/** Sends what goes wrong on the way; false when the fault lies elsewhere and the bytes are to be sent. */
export function sendMediaFault(input: {
  fault: MediaFault;
  bytes: Buffer;
  response: ServerResponse;
  forbiddenOrigin: string;
}): boolean {
  const { fault, bytes, response, forbiddenOrigin } = input;
  const start = (length?: number) =>
    response.writeHead(200, {
      "content-type": "video/mp4",
      ...(length === undefined ? {} : { "content-length": String(length) }),
    });
  const redirect = (location: string) => response.writeHead(302, { location }).end();
  switch (fault.name) {
    case "notFound":
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
      return true;
    case "midBodyCut":
      start(bytes.length).write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return true;
    case "lengthTooLong":
      start(bytes.length * 2).write(bytes, () => response.destroy());
      return true;
    case "lengthTooShort":
      response.shouldKeepAlive = false;
      start(Math.floor(bytes.length / 2)).end(bytes);
      return true;
    case "slowDrip":
      start(bytes.length);
      dripBody(response, bytes);
      return true;
    case "endlessBody":
      start();
      endlessBody(response, bytes, filler);
      return true;
    case "declaredBytes":
      start(fault.bytes);
      endlessBody(response, bytes, filler, fault.bytes);
      return true;
    case "redirect":
      redirect(fault.location);
      return true;
    case "redirectToForbidden":
      redirect(`${forbiddenOrigin}/secret.mp4`);
      return true;
    case "redirectLoop":
      redirect(`?${new URL(response.req.url ?? "/", "http://127.0.0.1").searchParams.toString()}`);
      return true;
    case "expiredLink":
    case "endedOnce":
    case "link":
    case "contentType":
      return false;
  }
}
