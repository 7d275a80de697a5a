/** Where visitors report a page; a message already says which one. */
export function reportUrl(contact: string, pageUrl: string): string {
  if (!/^mailto:/i.test(contact)) return contact;
  const subject = encodeURIComponent(`Report of ${pageUrl}`);
  return `${contact}${contact.includes("?") ? "&" : "?"}subject=${subject}`;
}
