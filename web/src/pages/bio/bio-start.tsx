import { bioLimits } from "@reelscript/contract/values";
import type { BioPage } from "@reelscript/contract";
import { useState, type SubmitEvent } from "react";
import { queryClient } from "../../api/call.ts";
import { operationQuery, useChange } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { newLink, type BioLink } from "./draft/content.ts";
import { meaningOf, tidyUrl } from "./draft/typed-url.ts";
import { CheckedInput, useEditor } from "./draft/editor-context.tsx";
import { ImageField, portraitAspect } from "./images/image-field.tsx";
import { PresetChoice } from "./panels/preset-choice.tsx";
import { HandleField, newHandleHint, refusals, useTypedHandle } from "./panels/handle-field.tsx";

const linksAtFirst = 3;

interface Props {
  readonly page: BioPage;
  readonly bio: { readonly isPublishing: boolean };
  /** Publishes the draft, and shows the problems if there are any. */
  readonly onPublish: () => void;
  /** Shows the whole editor. */
  readonly onAll: () => void;
}

/** Everything that a first page needs, on one screen. */
export function BioStart({ page, bio: { isPublishing }, onPublish, onAll }: Props) {
  const { content, edit, problems } = useEditor();
  const typed = useTypedHandle(page.handle ?? "");
  const claim = useChange("claimBioHandle", {
    onDone: (changed) => queryClient.setQueryData(operationQuery("getMyBioPage", {}).queryKey, changed),
  });
  // A row is added to the draft when somebody types in it.
  const [rows] = useState(() =>
    Array.from({ length: linksAtFirst }, (_, index) => content.links[index] ?? newLink("link")),
  );
  const isMissing = typed.requestedHandle === "" || typed.shape !== undefined;
  const refused = claim.error?.reason && refusals[claim.error.reason]?.(claim.variables?.handle ?? "");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    // Problems are shown before the address is claimed.
    if (problems.size > 0 || typed.requestedHandle === page.handle) onPublish();
    else claim.mutate({ handle: typed.requestedHandle }, { onSuccess: onPublish });
  };
  return (
    <form className="stack first-page" aria-label="Your first bio page" noValidate onSubmit={submit}>
      <PresetChoice
        isStrip
        value={content.theme.preset}
        onChange={(preset) => edit((before) => ({ ...before, theme: { ...before.theme, preset } }))}
      />
      <section className="stack">
        <HandleField
          label="Address"
          hint={newHandleHint}
          handle={typed}
          present={page.handle}
          refused={refused}
          onType={() => claim.reset()}
        />
        <CheckedInput
          label="Name"
          name="displayName"
          value={content.displayName ?? ""}
          longest={bioLimits.displayName}
          autoComplete="off"
          onChange={(value) => edit((before) => ({ ...before, displayName: value || null }), "displayName")}
        />
      </section>
      <ImageField
        label="Portrait"
        name="avatarUrl"
        value={content.avatarUrl}
        aspect={portraitAspect}
        hint="Without one, we draw one for you."
        onChange={(avatarUrl) => edit((before) => ({ ...before, avatarUrl }), "avatarUrl")}
      />
      <fieldset className="stack tight">
        <legend className="field-label">Links</legend>
        {rows.map((row, index) => (
          <FirstLink key={row.id} row={row} index={index} order={rows.map(({ id }) => id)} />
        ))}
      </fieldset>
      {claim.error && refused === undefined && <ErrorNote error={claim.error}>Your page isn’t public yet.</ErrorNote>}
      <div className="row wrap">
        <Button kind="ink" type="submit" disabled={isMissing} busy={(claim.isPending || isPublishing) && "Publishing…"}>
          Publish page
        </Button>
        <Button kind="ghost" onClick={onAll}>
          Show all settings
        </Button>
      </div>
    </form>
  );
}

const isBlank = ({ title, url }: BioLink): boolean => title.trim() === "" && !url?.trim();

/** Fields are read out with the number of their link, which everybody else sees. The first ones name their columns. */
const OfLink = ({ name, index }: { readonly name: string; readonly index: number }) => (
  <>
    {name}
    <span className="visually-hidden"> of link {index + 1}</span>
  </>
);

interface FirstLinkProps {
  readonly row: BioLink;
  readonly index: number;
  /** Ids of the rows in page order. */
  readonly order: readonly string[];
}

function FirstLink({ row, index, order }: FirstLinkProps) {
  const { content, edit } = useEditor();
  const { id } = row;
  const { title, url } = content.links.find((link) => link.id === id) ?? row;
  const change = (part: Partial<BioLink>, topic: string): void =>
    edit((before) => {
      const next = { ...(before.links.find((link) => link.id === id) ?? row), ...part };
      const others = before.links.filter((link) => link.id !== id);
      const links = isBlank(next) ? others : [...others, next];
      const indexOf = (link: BioLink): number => (order.includes(link.id) ? order.indexOf(link.id) : order.length);
      return { ...before, links: links.toSorted((one, other) => indexOf(one) - indexOf(other)) };
    }, `links.${id}.${topic}`);
  return (
    <div className="pairs first-link">
      <CheckedInput
        label={<OfLink name="Title" index={index} />}
        labelHidden={index > 0}
        name={`links.${id}.title`}
        value={title}
        placeholder={["My course", "Newsletter", "Shop"][index]}
        onChange={(value) => change({ title: value }, "title")}
      />
      <CheckedInput
        label={<OfLink name="URL" index={index} />}
        labelHidden={index > 0}
        name={`links.${id}.url`}
        value={url ?? ""}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="Web address, email or phone"
        tidy={tidyUrl}
        meaning={meaningOf}
        onChange={(value) => change({ url: value }, "url")}
      />
    </div>
  );
}
