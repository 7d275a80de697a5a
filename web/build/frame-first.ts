import type { Plugin } from "vite";

const styles = /\s*<link rel="stylesheet" crossorigin [^>]*>/g;

/**
 * The frame in the document is painted before the styles of the pages are here: behind it they hold nothing back. What the
 * entry loads in pieces is asked for together with it.
 */
export const frameFirst = (): Plugin => ({
  name: "frame-first",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle = {}, chunk }) => {
      const pieces = new Set<string>();
      const add = (file: string): void => {
        const piece = bundle[file];
        if (pieces.has(file) || piece?.type !== "chunk") return;
        pieces.add(file);
        piece.imports.forEach(add);
      };
      chunk?.dynamicImports.forEach(add);
      const loads = [...pieces]
        .filter((file) => !html.includes(file))
        .map((file) => `    <link rel="modulepreload" crossorigin href="/app/${file}">\n`);
      return html
        .replace(styles, "")
        .replace("  </head>", `${loads.join("")}  </head>`)
        .replace("</body>", `${html.match(styles)?.join("") ?? ""}\n  </body>`);
    },
  },
});
