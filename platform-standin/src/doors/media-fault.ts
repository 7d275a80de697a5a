import { type Answer, redirectAnswer, textAnswer } from "./answer.ts";

/** Faults between the media host and its caller; the bytes themselves may be damaged, too. */
export type MediaFault =
  | { name: "expiredLink" }
  /** The first address that the platform gives has expired, later ones haven't. */
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

/** Faults of a body affect the whole one, whichever range is requested. */
export const isWhole = (fault: MediaFault | undefined): boolean =>
  fault !== undefined && !["contentType", "endedOnce", "expiredLink"].includes(fault.name);

const repeats = Buffer.alloc(65_536);

/** Replaces a video with its fault. */
export function faultyAnswer(fault: MediaFault, video: Answer, search: string, forbiddenOrigin: string): Answer {
  const { length } = video.body;
  switch (fault.name) {
    case "notFound":
      return textAnswer(404, "Not found");
    case "midBodyCut":
      return { ...video, manner: "cut" };
    case "lengthTooLong":
      return { ...video, manner: { declares: length * 2 } };
    case "lengthTooShort":
      return { ...video, manner: { declares: Math.floor(length / 2) } };
    case "slowDrip":
      return { ...video, manner: "drip" };
    case "endlessBody":
      return { ...video, manner: { repeats } };
    case "declaredBytes":
      return { ...video, manner: { repeats, atMost: fault.bytes } };
    case "redirect":
      return redirectAnswer(fault.location);
    case "redirectToForbidden":
      return redirectAnswer(`${forbiddenOrigin}/secret.mp4`);
    case "redirectLoop":
      return redirectAnswer(search);
    case "contentType":
      return { ...video, headers: { ...video.headers, "content-type": fault.type } };
    // These faults are in the video's address.
    case "expiredLink":
    case "endedOnce":
    case "link":
      return video;
  }
}
