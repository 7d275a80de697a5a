import { hostedImagePath } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { Button, AnchorButton, CopyButton } from "../../../components/button.tsx";
import { SendButton } from "../../../components/send-button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { lazy, Suspense } from "react";

interface Props {
  readonly handle: string;
  readonly url: string;
  readonly published: BioContent;
  readonly onClose: () => void;
}

export function PublishSheet({ handle, url, published, onClose }: Props) {
  const { imageUrl } = published.seo;
  // Any tag returns the current picture of the page.
  const drawn = `/@${handle}/card-${"0".repeat(16)}.jpg`;
  return (
    <Dialog onClose={onClose} title="Your page is live" wide>
      <div className="stack">
        <AddressToCopy url={url} />
        <div className="stack">
          <figure className="stack tight">
            <figcaption className="field-label">Share card</figcaption>
            <img
              className="share-card"
              src={(imageUrl && hostedImagePath(imageUrl)) ?? imageUrl ?? drawn}
              alt={`Preview of a link to @${handle}`}
              width={1_200}
              height={630}
            />
          </figure>
          <AddressAsCode url={url} handle={handle} />
        </div>
        <div className="stack tight">
          <h3>Where to put it</h3>
          <ul className="points">
            <li>Instagram: Edit profile, then Links, then Add external link.</li>
            <li>TikTok: Edit profile, then Website.</li>
            <li>YouTube: Studio, then Customization, then Profile, then Links.</li>
            <li>Your email signature and your business card.</li>
          </ul>
        </div>
      </div>
      <DialogButtons>
        <AnchorButton endIcon="open" href={`/@${handle}`} target="_blank" rel="noopener">
          Open page
        </AnchorButton>
        <Button kind="ink" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Not needed before the page has an address. */
const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

export const AddressToCopy = ({ url }: { readonly url: string }) => (
  <div className="secret stack tight">
    <div className="row wrap">
      <code dir="ltr">{url}</code>
      <CopyButton text={url} done="Copied the address" size="small">
        Copy address
      </CopyButton>
      <SendButton url={url} size="small" />
    </div>
  </div>
);

export const AddressAsCode = (page: { readonly url: string; readonly handle: string }) => (
  <Suspense fallback={<div className="qr-code" />}>
    <QrCode {...page} />
  </Suspense>
);
