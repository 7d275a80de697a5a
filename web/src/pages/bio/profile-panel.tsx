import { bioLimits } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { CheckedInput } from "./checked-input.tsx";
import { useEditor } from "./editor-context.ts";
import { UrlInput } from "./url-input.tsx";
import { SocialsList } from "./socials-list.tsx";

export function ProfilePanel() {
  const { content, edit } = useEditor();
  const change = (part: Partial<BioContent>, topic: string): void => edit((before) => ({ ...before, ...part }), topic);
  return (
    <div className="stack">
      <section className="stack t" aria-labelledby="bio-profile">
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
        <UrlInput
          label="Portrait URL"
          name="avatarUrl"
          value={content.avatarUrl}
          hint="An upright picture looks best. Leave it empty and we draw one."
          onChange={(value) => change({ avatarUrl: value || null }, "avatarUrl")}
        />
      </section>
      <SocialsList />
    </div>
  );
}
