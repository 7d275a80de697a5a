import { useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { pngOf, qrPicture, svgOf } from "./qr-picture.ts";

/** The code that opens a page, to look at and to print. */
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
            kind="quiet"
            size="small"
            icon="download"
            onClick={() => save(new Blob([svgOf(picture)], { type: "image/svg+xml" }), `${handle}.svg`)}
          >
            Download SVG
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon="download"
            onClick={() => void pngOf(picture).then((png) => save(png, `${handle}.png`))}
          >
            Download PNG
          </Button>
        </div>
      </figcaption>
    </figure>
  );
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
