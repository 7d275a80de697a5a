import { lazy, Suspense } from "react";
import { CopyButton } from "../../components/button.tsx";

/** Not needed before there is an address. */
const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

export const AddressToCopy = ({ url }: { readonly url: string }) => (
  <div className="secret">
    <div className="row wrap">
      <code dir="ltr">{url}</code>
      <CopyButton text={url} done="Copied the address" size="small">
        Copy address
      </CopyButton>
    </div>
  </div>
);

export const AddressAsCode = (page: { readonly url: string; readonly handle: string }) => (
  <Suspense fallback={<div className="qr-code" />}>
    <QrCode {...page} />
  </Suspense>
);
