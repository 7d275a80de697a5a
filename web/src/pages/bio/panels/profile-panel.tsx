import { bioLimits } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { CheckedInput } from "../checked-input.tsx";
import { useEditor } from "../editor-context.ts";
import { ImageField } from "../images/image-field.tsx";
import { SocialsList } from "./socials-list.tsx";

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
          aspect={4 / 5}
          hint="We'll create one if you don't add one."
          onChange={(avatarUrl) => change({ avatarUrl }, "avatarUrl")}
        />
      </section>
      <SocialsList />
    </div>
  );
}
