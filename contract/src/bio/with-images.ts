/** Where a page, or a patch of it, names images. */
interface ImagePlaces {
  readonly avatarUrl?: string | null | undefined;
  readonly links?: readonly { readonly thumbnailUrl?: string | null | undefined }[] | null | undefined;
  readonly seo?: { readonly imageUrl?: string | null | undefined } | null | undefined;
  readonly theme?:
    | { readonly background?: { readonly type?: string; readonly value?: string } | null | undefined }
    | null
    | undefined;
}

/** The same page with other addresses of its images; `change` gets the field's name too, such as `links[3].thumbnailUrl`, and answers null for none. */
export function withImages<Page extends ImagePlaces>(
  page: Page,
  change: (url: string, field: string) => string | null,
): Page {
  const { avatarUrl, links, seo, theme } = page;
  const background = theme?.background;
  // A patch can leave the type out.
  const { type = /^(?:https?:|\/)/i.test(background?.value ?? "") ? "image" : "color" } = background ?? {};
  return {
    ...page,
    ...(avatarUrl && { avatarUrl: change(avatarUrl, "avatarUrl") }),
    ...(links && {
      links: links.map((link, index) =>
        link.thumbnailUrl ? { ...link, thumbnailUrl: change(link.thumbnailUrl, `links[${index}].thumbnailUrl`) } : link,
      ),
    }),
    ...(seo?.imageUrl && { seo: { ...seo, imageUrl: change(seo.imageUrl, "seo.imageUrl") } }),
    ...(type === "image" &&
      background?.value && {
        theme: { ...theme, background: backgroundOf(background, change(background.value, "theme.background.value")) },
      }),
  };
}

const backgroundOf = <Background extends object>(background: Background, value: string | null) =>
  value === null ? null : { ...background, value };
