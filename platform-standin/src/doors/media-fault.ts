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
