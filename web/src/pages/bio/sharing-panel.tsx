import { bioLimits } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { Icon } from "../../components/icon.tsx";
import { Note } from "../../components/note.tsx";
import { Switch } from "../../components/switch.tsx";
import { CheckedInput } from "./checked-input.tsx";
import { imageProblem } from "./draft/link-url.ts";
import { useEditor } from "./editor-context.ts";
import { UrlInput } from "./url-input.tsx";
import { sharedAs } from "./draft/shared-as.ts";

export function SharingPanel({ handle }: { readonly handle: string | null }) {
  const { content, edit } = useEditor();
  const { seo } = content;
  const change = (part: Partial<BioContent["seo"]>, topic?: string): void =>
    edit((before) => ({ ...before, seo: { ...before.seo, ...part } }), topic && `seo.${topic}`);
  const { title, description, image } = sharedAs(content, handle);
  const address = `${location.host}/@${handle ?? "…"}`;
  return (
    <section className="stack" aria-labelledby="bio-sharing">
      <h2 id="bio-sharing">Sharing</h2>
      <div className="stack t">
        <CheckedInput
          label="Title"
          name="seo.title"
          value={seo.title ?? ""}
          longest={bioLimits.seoTitle}
          placeholder={title}
          hint="Empty: your name and address."
          onChange={(value) => change({ title: value || null }, "title")}
        />
        <CheckedInput
          label="Description"
          name="seo.description"
          lines
          value={seo.description ?? ""}
          longest={bioLimits.seoDescription}
          placeholder={description}
          hint="Empty: your bio."
          onChange={(value) => change({ description: value || null }, "description")}
        />
        <UrlInput
          label="Image URL"
          name="seo.imageUrl"
          value={seo.imageUrl}
          hint="Wide, 1200 by 630 is best. Empty: your portrait."
          onChange={(value) => change({ imageUrl: value || null }, "imageUrl")}
        />
        <Switch
          label="Ask search engines to leave the page out"
          name="seo.noindex"
          checked={seo.noindex}
          onChange={(noindex) => change({ noindex })}
        />
      </div>
      <div className="pairs shared">
        <figure className="stack t">
          <figcaption className="lab">As a search result</figcaption>
          {seo.noindex ? (
            <Note icon="eye">Search engines are asked to leave the page out, so none shows it.</Note>
          ) : (
            <div className="result">
              <p className="meta">
                <bdi>{address}</bdi>
              </p>
              <p className="title" dir="auto">
                {title}
              </p>
              <p dir="auto">{description ?? "Without a description, search engines pick words of the page."}</p>
            </div>
          )}
        </figure>
        <figure className="stack t">
          <figcaption className="lab">As a shared link</figcaption>
          <div className="shared-card">
            <div className="picture">
              <Icon name="camera" />
              <span>
                {image === null || imageProblem(image) !== undefined ? (
                  "No image"
                ) : (
                  <>
                    Image from <bdi>{new URL(image).host}</bdi>
                  </>
                )}
              </span>
            </div>
            <div className="words">
              <p className="meta">
                <bdi>{location.host}</bdi>
              </p>
              <p className="title" dir="auto">
                {title}
              </p>
              {description !== undefined && <p dir="auto">{description}</p>}
            </div>
          </div>
        </figure>
      </div>
    </section>
  );
}
