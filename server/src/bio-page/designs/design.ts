/** The layout, shapes and typography of a look. All of it is CSS without `<`; colors are variables. */
export interface Design {
  /** Fonts: `text` for the body, `title` for the name and headings. */
  readonly fonts: { readonly text: string; readonly title: string };
  /** Corners of links as a CSS length, unless the owner chose others. */
  readonly corner: string;
  /** Links have neither border nor background, and so no padding around their text. */
  readonly isBare?: boolean;
  /** Layout, type and shapes. */
  readonly style: string;
  /** Background and ornaments in the look's own colors; omitted if the owner chose another background. */
  readonly texture: string;
}

/** Compresses a style; it must not depend on white space around its signs. */
export const small = (style: string): string =>
  style
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(/\s*([{};,])\s*/g, "$1")
    .replaceAll(/:\s+/g, ":")
    .replaceAll(";}", "}");
