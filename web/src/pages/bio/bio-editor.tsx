import type { BioPage } from "@reelscript/contract";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { Button, AnchorButton } from "../../components/button.tsx";
import { ErrorNote, Note, PageHeader } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted } from "../../format.ts";
import { BioStart } from "./bio-start.tsx";
import { AddressPanel } from "./panels/address-panel.tsx";
import { bioTabs, type BioTab } from "../page-search.ts";
import { DraftState } from "./draft-state.tsx";
import { patchOf } from "./draft/changes-between.ts";
import { contentOf } from "./draft/content.ts";
import type { Problem } from "./draft/problems-of.ts";
import { EditorContext, focusField } from "./draft/editor-context.tsx";
import { LinksPanel } from "./panels/links-panel.tsx";
import { LivePreview, useWide } from "./live-preview.tsx";
import { LookPanel } from "./panels/look-panel.tsx";
import { ProfilePanel } from "./panels/profile-panel.tsx";
import { SharingPanel } from "./panels/sharing-panel.tsx";
import { PublishSheet } from "./panels/publish-sheet.tsx";
import { useBioEditor, type BioEditor as Bio } from "./use-bio-editor.ts";
import { previewContent } from "./draft/preview-content.ts";
import { Moment } from "../../components/inline.tsx";
import { Icon } from "../../components/icon.tsx";

const route = getRouteApi("/shell/bio");

export function BioEditor({ page, accountId }: { readonly page: BioPage; readonly accountId: string }) {
  const { tab: chosenTab, handle: suggestedHandle } = route.useSearch();
  const tab = chosenTab ?? "links";
  const navigate = route.useNavigate();
  const [isSharing, setSharing] = useState(false);
  const bio = useBioEditor(page, accountId, () => setSharing(true));
  const { editor, changes, theirs } = bio;
  const { content, published } = editor;
  const [openLink, setOpenLink] = useState<string>();
  const [isPreviewing, setPreviewing] = useState(false);
  const isWide = useWide();
  const [showsAll, setShowsAll] = useState(changes.length > 0);
  // A person who has opened one section of the editor gets all of it.
  if (chosenTab !== undefined && !showsAll) setShowsAll(true);
  const isStarting = page.revision === 0 && !showsAll;
  // The service applies the patch to its version of the page, and this shows the version here.
  const patch = useMemo(
    () => JSON.stringify(patchOf(theirs ? contentOf(theirs) : published, previewContent(content, published))),
    [content, published, theirs],
  );

  const showProblem = async ({ tab: where, field }: Problem): Promise<void> => {
    setPreviewing(false);
    const [part, id] = field.split(".");
    if (part === "links") setOpenLink(id);
    await navigate({ search: { tab: where }, resetScroll: false });
    focusField(field);
  };
  const publish = (): void => {
    const problem = bio.publish();
    if (problem === undefined) return;
    if (isStarting) focusField(problem.field);
    else void showProblem(problem);
  };
  usePublishOnArrival(bio, publish);
  const panels = {
    links: () => <LinksPanel open={openLink} onOpen={setOpenLink} />,
    look: () => <LookPanel />,
    profile: () => <ProfilePanel />,
    sharing: () => <SharingPanel handle={page.handle} />,
    address: () => <AddressPanel page={page} suggestedHandle={suggestedHandle} key={page.handle} />,
  };
  return (
    <EditorContext value={editor}>
      <PageHeader
        title="Bio page"
        sub={isStarting ? "One page for all your links. Change anything later." : <Address page={page} />}
      >
        {!isWide && !isStarting && (
          <Button icon="eye" aria-pressed={isPreviewing} onClick={() => setPreviewing(!isPreviewing)}>
            Preview
          </Button>
        )}
        {!isStarting && <EditorActions page={page} bio={bio} patch={patch} onPublish={publish} />}
      </PageHeader>
      {page.takenDownAt !== null && <TakenDownNote at={page.takenDownAt} />}
      <DraftState page={page} bio={bio} isStarting={isStarting} onShare={() => setSharing(true)} />
      <ErrorNote error={bio.error}>The public page is unchanged, and so are your changes here.</ErrorNote>
      <div
        className="bio"
        data-previewing={(!isWide && isPreviewing) || undefined}
        data-starting={isStarting || undefined}
      >
        <div className="stack parts">
          {!isStarting && <PartLinks current={tab} />}
          {isStarting ? (
            <BioStart page={page} bio={bio} onPublish={publish} onAll={() => setShowsAll(true)} />
          ) : (
            panels[tab]()
          )}
        </div>
        <aside className="stack tight preview" aria-label="Live preview">
          <p className="meta">Live preview</p>
          <LivePreview patch={patch} revision={bio.revision} active={isWide || isPreviewing || isStarting} />
        </aside>
      </div>
      {isSharing && page.revision > 0 && page.handle !== null && page.url !== null && (
        <PublishSheet handle={page.handle} url={page.url} published={published} onClose={() => setSharing(false)} />
      )}
    </EditorContext>
  );
}

interface ActionsProps {
  readonly page: BioPage;
  readonly bio: Bio;
  readonly patch: string;
  readonly onPublish: () => void;
}

function EditorActions({ page, bio, patch, onPublish }: ActionsProps) {
  const isUnchanged = bio.changes.length === 0 && bio.theirs === undefined;
  return (
    <>
      <UndoButtons bio={bio} />
      <OpenPage handle={page.handle} isPublished={page.revision > 0} patch={isUnchanged ? undefined : patch} />
      <PublishButton bio={bio} onPublish={onPublish} />
    </>
  );
}

function usePublishOnArrival({ changes, theirs }: Bio, publish: () => void): void {
  const { publish: publishRequest, tab } = route.useSearch();
  const navigate = route.useNavigate();
  const arrive = useEffectEvent(() => {
    void navigate({ search: { tab }, replace: true, resetScroll: false });
    if (changes.length === 0) showToast("No changes to publish.");
    else if (theirs === undefined) publish();
  });
  useEffect(() => {
    if (publishRequest !== undefined) arrive();
  }, [publishRequest]);
}

function PublishButton({ bio, onPublish }: { readonly bio: Bio; readonly onPublish: () => void }) {
  const { changes, theirs, isPublishing } = bio;
  return (
    <Button
      kind="ink"
      className="publish"
      disabled={changes.length === 0 || theirs !== undefined}
      busy={isPublishing && "Publishing…"}
      onClick={onPublish}
    >
      {changes.length === 0 ? "Publish" : `Publish ${counted(changes.length, "change", "changes")}`}
    </Button>
  );
}

function UndoButtons({ bio: { canUndo, canRedo, dispatch } }: { readonly bio: Bio }) {
  return (
    <>
      <Button icon="undo" iconOnly disabled={!canUndo} onClick={() => dispatch({ kind: "undo" })}>
        Undo
      </Button>
      <Button icon="undo" iconOnly className="redo" disabled={!canRedo} onClick={() => dispatch({ kind: "redo" })}>
        Redo
      </Button>
    </>
  );
}

const tabNames: Readonly<Record<BioTab, string>> = {
  links: "Links",
  look: "Look",
  profile: "Profile",
  sharing: "Sharing",
  address: "Address",
};

function PartLinks({ current }: { readonly current: BioTab }) {
  return (
    <nav className="tabs" aria-label="Parts of the bio page">
      {bioTabs.map((name) => (
        <Link
          key={name}
          to="/bio"
          search={name === "links" ? {} : { tab: name }}
          resetScroll={false}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={name === current ? "page" : undefined}
        >
          {tabNames[name]}
        </Link>
      ))}
    </nav>
  );
}

function Address({ page: { handle } }: { readonly page: BioPage }) {
  const { data } = useOperation("getBioAnalytics", { days: 30 });
  if (handle === null)
    return (
      <Link to="/bio" search={{ tab: "address" }} resetScroll={false}>
        Choose its address
      </Link>
    );
  return (
    <>
      <bdi>
        {location.host}/@{handle}
      </bdi>
      {data && `, ${counted(data.views, "view", "views")} in 30 days`}
    </>
  );
}

function TakenDownNote({ at }: { readonly at: string }) {
  return (
    <Note kind="bad" icon="warn">
      <p>
        <b>Your page is offline.</b> The operator of this service took it down (<Moment at={at} />
        ). Visitors can’t see it or use its links. You can still edit it. To get it back, contact the operator.
      </p>
    </Note>
  );
}

interface Props {
  readonly handle: string | null;
  readonly isPublished: boolean;
  /** The draft as a merge patch in JSON; `undefined` when everything is published. */
  readonly patch: string | undefined;
}

function OpenPage({ handle, isPublished, patch }: Props) {
  if (handle !== null && isPublished && patch === undefined)
    return (
      <AnchorButton endIcon="open" href={`/@${handle}`} target="_blank" rel="noopener">
        Open
      </AnchorButton>
    );
  return (
    <form action="/app/bio/preview?in=tab" method="post" target="_blank">
      <input type="hidden" name="patch" value={patch ?? "{}"} readOnly />
      <Button type="submit">
        Open
        <Icon name="open" small />
      </Button>
    </form>
  );
}
