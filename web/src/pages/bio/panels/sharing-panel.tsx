import { bioLimits, hostedImagePath } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/page.tsx";
import { optionsOf, Select } from "../../../components/field.tsx";
import { CheckedInput, useEditor } from "../draft/editor-context.tsx";
import { ImageField } from "../images/image-field.tsx";
import { sharedAs } from "../draft/preview-content.ts";

export function SharingPanel({ handle }: { readonly handle: string | null }) {
  const { content, edit } = useEditor();
  const { seo } = content;
  const change = (part: Partial<BioContent["seo"]>, topic?: string): void =>
    edit((before) => ({ ...before, seo: { ...before.seo, ...part } }), topic && `seo.${topic}`);
  const { title, description } = sharedAs(content, handle);
  return (
    <section className="stack" aria-labelledby="bio-sharing">
      <h2 id="bio-sharing">Sharing</h2>
      <div className="stack tight">
        <CheckedInput
          label="Title"
          name="seo.title"
          value={seo.title ?? ""}
          longest={bioLimits.seoTitle}
          placeholder={title}
          hint="Leave blank to use your name and address."
          onChange={(value) => change({ title: value || null }, "title")}
        />
        <CheckedInput
          label="Description"
          name="seo.description"
          lines
          value={seo.description ?? ""}
          longest={bioLimits.seoDescription}
          placeholder={description}
          hint="Leave blank to use your bio."
          onChange={(value) => change({ description: value || null }, "description")}
        />
        <ImageField
          label="Image"
          name="seo.imageUrl"
          value={seo.imageUrl}
          aspect={1_200 / 630}
          hint="Without one, we draw one in your page’s look."
          onChange={(imageUrl) => change({ imageUrl }, "imageUrl")}
        />
        <Select
          label="Search engines"
          value={findabilityOf(seo)}
          options={optionsOf(findabilities)}
          onChange={(choice) => change({ noindex: choice === "hidden", sitemap: choice === "helped" })}
        />
      </div>
      <SharingPreviews handle={handle} />
    </section>
  );
}

const findabilities = {
  helped: "Help search engines find it",
  allowed: "Let search engines show it",
  hidden: "Hide from search engines",
} as const;

const findabilityOf = ({ noindex, sitemap }: BioContent["seo"]): keyof typeof findabilities =>
  noindex ? "hidden" : sitemap ? "helped" : "allowed";

function SharingPreviews({ handle }: { readonly handle: string | null }) {
  const { content } = useEditor();
  const { title, description, image } = sharedAs(content, handle);
  const address = `${location.host}/@${handle ?? "…"}`;
  const isDrawn = image === null;
  const imageUrl = image ?? content.avatarUrl;
  const path = imageUrl === null ? undefined : hostedImagePath(imageUrl);
  return (
    <div className="pairs shared">
      <figure className="stack tight">
        <figcaption className="field-label">As a search result</figcaption>
        {content.seo.noindex ? (
          <Note icon="eye">Search engines won’t show your page.</Note>
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
      <figure className="stack tight">
        <figcaption className="field-label">As a shared link</figcaption>
        <div className="shared-card">
          <div className="picture">
            {path === undefined ? (
              <>
                <Icon name="picture" />
                <span>Created in your page’s look</span>
              </>
            ) : (
              <img src={path} alt="" />
            )}
            {isDrawn && path !== undefined && <span className="meta">Drawn in your page’s look around it</span>}
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
  );
}
