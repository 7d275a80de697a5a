/** How a look arranges, shapes and sets a page. All of it is CSS without `<`; colors come as variables. */
export interface Design {
  /** Fonts: `text` for the body, `title` for the name and headings. */
  readonly fonts: { readonly text: string; readonly title: string };
  /** Corners of links as a CSS length, unless the owner chose others. */
  readonly corner: string;
  /** Links have neither border nor background, and so no padding around their text. */
  readonly isBare?: boolean;
  /** Layout, type and shapes. */
  readonly style: string;
  /** Ground and ornaments in the look's own colors; left out where the owner chose another background. */
  readonly texture: string;
}

/** A style as it is sent. It may not depend on blanks around its signs. */
export const small = (style: string): string =>
  style
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(/\s*([{};,])\s*/g, "$1")
    .replaceAll(/:\s+/g, ":")
    .replaceAll(";}", "}");
