import { bioLimits, socialPlatformNames, socialPlatforms, type SocialPlatform } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { CheckedInput, useEditor, focusField } from "../draft/editor-context.tsx";
import { ImageField, portraitAspect } from "../images/image-field.tsx";
import { useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { showToast } from "../../../components/toast.tsx";
import { moveItem, type Social } from "../draft/content.ts";
import { meaningOf, tidySocialUrl } from "../draft/typed-url.ts";
import { SortHint, useSortable } from "./use-sortable.tsx";

export function ProfilePanel() {
  const { content, edit } = useEditor();
  const change = (part: Partial<BioContent>, topic: string): void => edit((before) => ({ ...before, ...part }), topic);
  return (
    <div className="stack">
      <section className="stack tight" aria-labelledby="bio-profile">
        <h2 id="bio-profile">Profile</h2>
        <CheckedInput
          label="Name"
          name="displayName"
          value={content.displayName ?? ""}
          longest={bioLimits.displayName}
          autoComplete="off"
          onChange={(value) => change({ displayName: value || null }, "displayName")}
        />
        <CheckedInput
          label="Bio"
          name="bio"
          lines
          value={content.bio ?? ""}
          longest={bioLimits.bio}
          onChange={(value) => change({ bio: value || null }, "bio")}
        />
        <ImageField
          label="Portrait"
          name="avatarUrl"
          value={content.avatarUrl}
          aspect={portraitAspect}
          hint="Without one, we draw one for you."
          onChange={(avatarUrl) => change({ avatarUrl }, "avatarUrl")}
        />
      </section>
      <SocialsList />
    </div>
  );
}

function SocialsList() {
  const { content, edit } = useEditor();
  const heading = useRef<HTMLHeadingElement>(null);
  const { socials } = content;
  const change = (next: (socials: readonly Social[]) => Social[], topic?: string): void =>
    edit((before) => ({ ...before, socials: next(before.socials) }), topic);
  const editOne = (platform: SocialPlatform, part: Partial<Social>, topic: string): void =>
    change(
      (all) => all.map((one) => (one.platform === platform ? { ...one, ...part } : one)),
      `socials.${platform}.${topic}`,
    );
  const add = (platform: SocialPlatform): void => {
    change((all) => [...all, { platform, url: "", handle: null }]);
    focusField(`socials.${platform}.url`);
  };
  const remove = (social: Social): void => {
    const index = socials.indexOf(social);
    change((all) => all.filter((one) => one !== social));
    heading.current?.focus();
    showToast(`${socialPlatforms[social.platform].name} was removed.`, {
      undo: () =>
        change((all) =>
          all.some((one) => one.platform === social.platform) ? [...all] : all.toSpliced(index, 0, social),
        ),
    });
  };
  const sorting = useSortable({
    ids: socials.map(({ platform }) => platform),
    nameOf: (id) => socialPlatforms[id as SocialPlatform].name,
    onMove: (from, to) => change((all) => moveItem(all, from, to)),
  });
  const unused = socialPlatformNames.filter((name) => !socials.some(({ platform }) => platform === name));
  return (
    <section className="stack tight" aria-labelledby="bio-socials">
      <h2 id="bio-socials" tabIndex={-1} ref={heading}>
        Social links
      </h2>
      <ul className="links socials" {...sorting.listProps}>
        {sorting.inOrder(socials).map((social) => {
          const { platform } = social;
          const { name } = socialPlatforms[platform];
          return (
            <li key={platform} {...sorting.itemProps(platform)}>
              <button type="button" className="grip" {...sorting.handleProps(platform)}>
                <Icon name="grip" />
              </button>
              <PlatformIcon platform={platform} />
              <SocialFields social={social} onChange={(part, topic) => editOne(platform, part, topic)} />
              <Button kind="ghost" size="small" icon="bin" iconOnly onClick={() => remove(social)}>
                {`Remove ${name}`}
              </Button>
            </li>
          );
        })}
      </ul>
      <SortHint id={sorting.hintId} announcement={sorting.announcement} />
      {unused.length > 0 && (
        <div className="row wrap" role="group" aria-label="Add a profile">
          {unused.map((platform) => (
            <Button
              key={platform}
              size="small"
              aria-label={`Add ${socialPlatforms[platform].name}`}
              onClick={() => add(platform)}
            >
              <PlatformIcon platform={platform} />
              {socialPlatforms[platform].name}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

interface FieldsProps {
  readonly social: Social;
  readonly onChange: (part: Partial<Social>, topic: string) => void;
}

function SocialFields({ social: { platform, url, handle }, onChange }: FieldsProps) {
  return (
    <div className="pairs">
      <CheckedInput
        label={`${socialPlatforms[platform].name} URL`}
        name={`socials.${platform}.url`}
        value={url}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder={platform === "email" ? "me@example.com" : "https:// or @handle"}
        tidy={(text) => tidySocialUrl(platform, text)}
        meaning={meaningOf}
        onChange={(value) => onChange({ url: value }, "url")}
      />
      <CheckedInput
        label="Label"
        name={`socials.${platform}.handle`}
        value={handle ?? ""}
        autoComplete="off"
        placeholder="None"
        tidy={(text) => text.trim().replace(/^@/, "")}
        onChange={(value) => onChange({ handle: value || null }, "handle")}
      />
    </div>
  );
}

const PlatformIcon = ({ platform }: { readonly platform: SocialPlatform }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={socialPlatforms[platform].drawing} />
  </svg>
);
