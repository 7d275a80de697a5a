/** What goes wrong between the media host and its caller; the bytes themselves may be wrong too. */
export type MediaFault =
  | { name: "expiredLink" }
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
