import * as z from "zod";
import { atMostVisible } from "../at-most-visible.ts";
import { bioLimits } from "../values/limits.ts";
import { bioPresets, type BioPreset } from "../values/bio/bio-presets.ts";
import { hostedImagePath, isLink, trimAddress } from "../values/links/addresses.ts";
import { socialPlatformNames } from "../values/bio/social-platforms.ts";
import { namesService } from "./look-alikes.ts";

/** Control characters and lone surrogates, which no page can show; a line break is one too. */
const unshowable = /[\p{Cc}\p{Cs}]/u;

/**
 * Overrides of the direction, which make a text look different from its content. Copied text is full of them, so they are
 * removed.
 */
const overrides = /[\u202A-\u202E\u2066-\u2069]/g;

/** Visible characters, without those that only join, space or turn others. */
const visible = /[^\p{C}\p{Z}\p{M}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

const bounded = (length: number) =>
  atMostVisible(
    z.string().overwrite((text) => text.replaceAll(overrides, "")),
    length,
  );

const line = (length: number) =>
  bounded(length).refine((text) => !unshowable.test(text), { error: "must be one line without control characters" });

const seen = (text: z.ZodString) =>
  text.refine((written) => visible.test(written), { error: "must have a visible character" });

const paragraphs = (length: number) =>
  bounded(length).refine((text) => !unshowable.test(text.replaceAll("\n", "")), {
    error: "must not hold control characters",
  });

const LinkUrl = z
  .string()
  .overwrite(trimAddress)
  .max(bioLimits.url)
  .refine(isLink, {
    error: "must be an http, https, mailto, tel or sms URL without a user name, such as https://example.com",
  })
  .meta({ format: "uri", examples: ["https://example.com/newsletter"] });

// The service's own images are at its address, which is http on a person's own machine.
const isImageUrl = (text: string): boolean =>
  (/^https:/i.test(text) && isLink(text)) || hostedImagePath(text) !== undefined;
const imageUrlError = "must be an https URL of an image";
const ImageUrl = z
  .string()
  .overwrite(trimAddress)
  .max(bioLimits.url)
  .refine(isImageUrl, { error: imageUrlError })
  .meta({ format: "uri" });

const hex = "#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})";
const colorShape = new RegExp(`^${hex}$`);
const gradientShape = new RegExp(`^${hex},${hex}$`);
const Color = z
  .string()
  .regex(colorShape, { error: "must be a hex color such as #1a2b3c" })
  .meta({ examples: ["#1a2b3c"] });

const Moment = z.iso.datetime({ error: "must be a date and time in UTC, such as 2026-05-01T08:00:00Z" });

const linkFields = {
  type: z
    .enum(["link", "header"])
    .default("link")
    .meta({ description: "Entry kind; header is a heading without a URL." }),
  title: seen(line(bioLimits.linkTitle).min(1)),
  url: LinkUrl.nullable().default(null).meta({ description: "Link target; a header has none." }),
  thumbnailUrl: ImageUrl.nullable().default(null),
  enabled: z.boolean().default(true).meta({ description: "Whether the page shows the link." }),
  highlighted: z.boolean().default(false),
  startsAt: Moment.nullable().default(null).meta({ description: "Time from which the page shows the link." }),
  endsAt: Moment.nullable().default(null).meta({ description: "Time from which the page hides the link." }),
};

const BioLink = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the link, which it keeps with its clicks when it changes or is restored." }),
    ...linkFields,
  })
  .meta({ id: "BioLink" });
export type BioLink = z.infer<typeof BioLink>;

const LinkInput = z
  .strictObject({
    id: z.string().max(64).optional().meta({ description: "Id of a current or former link; omit for a new one." }),
    ...linkFields,
  })
  .superRefine(({ type, url, startsAt, endsAt }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (type === "link" && url === null) refuse("url", "is missing; only a header has none");
    if (type === "header" && url !== null) refuse("url", "must be left out of a header");
    if (startsAt !== null && endsAt !== null && Date.parse(startsAt) >= Date.parse(endsAt))
      refuse("endsAt", "must be later than startsAt");
  });

const noneTwice =
  <Field extends string>(field: Field) =>
  (items: readonly { readonly [Each in Field]?: string | undefined }[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [index, { [field]: value }] of items.entries()) {
      if (value !== undefined && seen.has(value))
        context.addIssue({ code: "custom", path: [index, field], message: "occurs more than once" });
      if (value !== undefined) seen.add(value);
    }
  };

const Links = z.array(LinkInput).max(bioLimits.links).superRefine(noneTwice("id"));

const socialFields = {
  platform: z.enum(socialPlatformNames),
  url: LinkUrl,
  handle: line(bioLimits.socialHandle)
    .nullable()
    .default(null)
    .meta({ description: "Label next to the icon, without @." }),
};
const Social = z.object(socialFields).meta({ id: "BioSocial" });

const Socials = z
  .array(z.strictObject(socialFields))
  .max(socialFields.platform.options.length)
  .superRefine(noneTwice("platform"));

const backgroundFields = {
  type: z.enum(["color", "gradient", "image"]),
  value: z
    .string()
    .max(bioLimits.url)
    .meta({ description: "A hex color; two with a comma between for a gradient; an https URL for an image." }),
};
const Background = z.object(backgroundFields).superRefine(({ type, value }, context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", path: ["value"], message });
  if (type === "color" && !colorShape.test(value)) refuse("must be a hex color such as #1a2b3c");
  if (type === "gradient" && !gradientShape.test(value)) refuse("must be two hex colors such as #1a2b3c,#ffffff");
  if (type === "image" && !isImageUrl(value)) refuse(imageUrlError);
});

const displayName = seen(line(bioLimits.displayName));
const bio = paragraphs(bioLimits.bio);
const seo = {
  title: seen(line(bioLimits.seoTitle)),
  description: line(bioLimits.seoDescription),
  imageUrl: ImageUrl,
  noindex: z.boolean(),
  sitemap: z.boolean(),
};
const button = {
  style: z.enum(["look", "fill", "outline", "soft"]),
  radius: z.enum(["none", "md", "full"]),
};
const preset = z.enum(Object.keys(bioPresets) as [BioPreset, ...BioPreset[]]).meta({
  description: "A look for the whole page.",
});
const font = z.enum(["look", "sans", "serif", "mono"]);

/** The content that the owner edits; every part has a value for "not set". */
export const BioContent = z.object({
  displayName: displayName.nullable().default(null),
  bio: bio.nullable().default(null),
  avatarUrl: ImageUrl.nullable()
    .default(null)
    .meta({ description: "URL of the portrait; null for one drawn from the name." }),
  links: z.array(BioLink).default([]).meta({ description: "Links in the order of the page." }),
  socials: z.array(Social).default([]),
  seo: z
    .object({
      title: seo.title.nullable().default(null),
      description: seo.description.nullable().default(null),
      imageUrl: seo.imageUrl.nullable().default(null),
      noindex: seo.noindex.default(false).meta({ description: "Whether to hide the page from search engines." }),
      sitemap: seo.sitemap.default(false).meta({
        description: "Whether our sitemap lists the page, which helps search engines find it. Ignored with `noindex`.",
      }),
    })
    .meta({ id: "BioSeo" })
    .prefault({}),
  theme: z
    .object({
      preset: preset.default("light"),
      background: Background.nullable()
        .default(null)
        .meta({ description: "Background of the page; null keeps the preset's." }),
      button: z
        .object({
          style: button.style.default("look").meta({ description: "Button style; look keeps the preset's." }),
          radius: button.radius.default("md").meta({ description: "Button radius; md keeps the preset's." }),
        })
        .prefault({}),
      colors: z
        .object({
          text: Color.nullable().default(null),
          button: Color.nullable().default(null),
          buttonText: Color.nullable().default(null),
        })
        .prefault({})
        .meta({ description: "Colors of the page; a null keeps the preset's." }),
      font: font.default("look").meta({ description: "Font of the page; look keeps the preset's." }),
    })
    .meta({ id: "BioTheme" })
    .prefault({}),
});
export type BioContent = z.infer<typeof BioContent>;

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

/** A JSON merge patch (RFC 7396) of the content: objects merge, arrays are replaced whole, null clears. */
export const bioPatchFields = {
  displayName: clearable(
    displayName.refine((name) => !namesService(name), { error: "must not look like the name of this service" }),
  ).meta({
    description: `The name at the head of the page, one line of up to ${bioLimits.displayName} visible characters.`,
  }),
  bio: clearable(bio).meta({
    description: `Text below the name, up to ${bioLimits.bio} visible characters; may have several lines.`,
  }),
  avatarUrl: clearable(ImageUrl).meta({
    description: "An https URL of the portrait, which is copied.",
  }),
  links: clearable(Links).meta({
    description:
      "All links in order; replaces the list. A link keeps its clicks by its id; an id from a kept revision restores that link.",
  }),
  socials: clearable(Socials).meta({
    description: "All profiles, one per platform; replaces the list.",
  }),
  seo: clearable(
    z.strictObject({
      title: clearable(seo.title),
      description: clearable(seo.description),
      imageUrl: clearable(seo.imageUrl),
      noindex: clearable(seo.noindex),
      sitemap: clearable(seo.sitemap),
    }),
  ).meta({ description: "Texts that search engines and previews show." }),
  theme: clearable(
    z.strictObject({
      preset: clearable(preset),
      background: clearable(z.strictObject(backgroundFields).partial()),
      button: clearable(z.strictObject({ style: clearable(button.style), radius: clearable(button.radius) })),
      colors: clearable(
        z.strictObject({ text: clearable(Color), button: clearable(Color), buttonText: clearable(Color) }),
      ),
      font: clearable(font),
    }),
  ).meta({ description: "A preset, and values that replace the preset's." }),
};
