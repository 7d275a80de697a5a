export type LinkTarget =
  | { readonly kind: "guide"; readonly slug: string; readonly section?: string }
  | { readonly kind: "section"; readonly section: string }
  | { readonly kind: "outside"; readonly url: string };

/** Where a link of a guide leads; `undefined` where a guide has no business to lead, such as `javascript:`. */
export function linkTarget(target: string): LinkTarget | undefined {
  const [, slug, section] = /^([a-z0-9-]*)(?:\.md)?(?:#([\p{L}\p{N}-]+))?$/u.exec(target) ?? [];
  if (slug) return { kind: "guide", slug, ...(section && { section }) };
  if (section) return { kind: "section", section };
  return /^https?:\/\/\S+$/.test(target) ? { kind: "outside", url: target } : undefined;
}
