import { useMemo } from "react";
import { Button } from "../../../components/button.tsx";
import { downloadFile } from "../../../components/download-file.ts";
import { encode } from "uqr";

export function QrCode({ url, handle }: { readonly url: string; readonly handle: string }) {
  const picture = useMemo(() => qrPicture(url), [url]);
  const { size, path } = picture;
  return (
    <figure className="qr-code">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of @${handle}`}>
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <figcaption className="stack tight">
        <p className="meta">Opens your page. Print it on cards, menus and posters.</p>
        <div className="row wrap">
          <Button
            size="small"
            icon="download"
            onClick={() => downloadFile(`${handle}.svg`, new Blob([svgOf(picture)], { type: "image/svg+xml" }))}
          >
            Download SVG
          </Button>
          <Button
            size="small"
            icon="download"
            onClick={() => void pngOf(picture).then((png) => downloadFile(`${handle}.png`, png))}
          >
            Download PNG
          </Button>
        </div>
      </figcaption>
    </figure>
  );
}

/** Light modules that scanners need around a code. */
const border = 4;
const pngPixels = 1_200;

export interface QrPicture {
  /** Width of the whole picture, in modules. */
  readonly size: number;
  /** The dark modules as an SVG path whose unit is a module. */
  readonly path: string;
}

/** Encodes a text as a QR code that is readable with a seventh of it covered. */
export function qrPicture(text: string): QrPicture {
  const { data, size } = encode(text, { ecc: "M", border });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { size, path };
}

export const svgOf = ({ size, path }: QrPicture): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;

/** Each module has the same whole number of pixels, so that its edges are sharp. */
async function pngOf({ size, path }: QrPicture): Promise<Blob> {
  const scale = Math.ceil(pngPixels / size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext("2d")!; // safe: the canvas is new
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.fillStyle = "#000";
  context.fill(new Path2D(path));
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (png === null) throw new Error("the browser made no PNG");
  return png;
}
