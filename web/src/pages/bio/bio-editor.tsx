import type { BioPage } from "@reelscript/contract";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { counted } from "../../format/number.ts";
import { AddressPanel } from "./panels/address-panel.tsx";
import { bioTabs, type BioTab, tabNames } from "./bio-tabs.ts";
import { ConflictNote } from "./conflict-note.tsx";
import { changesBetween } from "./draft/changes-between.ts";
import { contentOf } from "./draft/content.ts";
import { previewPatch } from "./draft/preview-patch.ts";
import type { Problem } from "./draft/problems-of.ts";
import { DraftState } from "./draft-state.tsx";
import { EditorContext } from "./editor-context.ts";
import { focusField } from "./focus-field.ts";
import { LinksPanel } from "./panels/links-panel.tsx";
import { LivePreview } from "./live-preview.tsx";
import { LookPanel } from "./panels/look-panel.tsx";
import { ProfilePanel } from "./panels/profile-panel.tsx";
import { SharingPanel } from "./panels/sharing-panel.tsx";
import { PublishSheet } from "./publish-sheet.tsx";
import { OpenPage } from "./open-page.tsx";
import { TakenDownNote } from "./taken-down-note.tsx";
import { useBioEditor } from "./use-bio-editor.ts";
import { useWide } from "./use-wide.ts";

const route = getRouteApi("/shell/bio");

export function BioEditor({ page, accountId }: { readonly page: BioPage; readonly accountId: string }) {
  const { tab = "links", handle: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const [isSharing, setSharing] = useState(false);
  const bio = useBioEditor(page, accountId, () => setSharing(true));
  const { editor, changes, theirs } = bio;
  const { content, published } = editor;
  const [openLink, setOpenLink] = useState<string>();
  const [isPreviewing, setPreviewing] = useState(false);
  const isWide = useWide();
  // The service puts the patch on the page as it is there, and this shows the page as it is here.
  const patch = useMemo(
    () => previewPatch(content, published, theirs && contentOf(theirs)),
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
    if (problem !== undefined) void showProblem(problem);
  };
  const panels = {
    links: () => <LinksPanel open={openLink} onOpen={setOpenLink} />,
    look: () => <LookPanel />,
    profile: () => <ProfilePanel />,
    sharing: () => <SharingPanel handle={page.handle} />,
    address: () => <AddressPanel page={page} wanted={wanted} key={page.handle} />,
  };
  return (
    <EditorContext value={editor}>
      <PageHeader title="Bio page" sub={<Address page={page} />}>
        <UndoButtons bio={bio} />
        {!isWide && (
          <Button kind="quiet" icon="eye" aria-pressed={isPreviewing} onClick={() => setPreviewing(!isPreviewing)}>
            Preview
          </Button>
        )}
        <OpenPage
          handle={page.handle}
          isPublished={page.revision > 0}
          patch={changes.length === 0 && theirs === undefined ? undefined : patch}
        />
        <Button
          className="publish"
          disabled={changes.length === 0 || theirs !== undefined}
          busy={bio.isPublishing ? "Publishing…" : undefined}
          onClick={publish}
        >
          {changes.length === 0 ? "Publish" : `Publish ${counted(changes.length, "change", "changes")}`}
        </Button>
      </PageHeader>
      {page.takenDownAt !== null && <TakenDownNote at={page.takenDownAt} />}
      <EditState page={page} bio={bio} onShare={() => setSharing(true)} />
      <ErrorNote error={bio.error}>The public page is unchanged, and so are your changes here.</ErrorNote>
      <div className="bio" data-previewing={(!isWide && isPreviewing) || undefined}>
        <div className="stack parts">
          <PartLinks current={tab} />
          {panels[tab]()}
        </div>
        <aside className="stack tight preview" aria-label="Live preview">
          <p className="meta">Live preview</p>
          <LivePreview patch={patch} revision={bio.revision} active={isWide || isPreviewing} />
        </aside>
      </div>
      {page.handle !== null && page.url !== null && (
        <PublishSheet
          open={isSharing && page.revision > 0}
          handle={page.handle}
          url={page.url}
          published={published}
          onClose={() => setSharing(false)}
        />
      )}
    </EditorContext>
  );
}

interface EditStateProps {
  readonly page: BioPage;
  readonly bio: ReturnType<typeof useBioEditor>;
  readonly onShare: () => void;
}

function EditState({ page, bio, onShare }: EditStateProps) {
  const { editor, dispatch, changes, theirs } = bio;
  const { content, published } = editor;
  return theirs === undefined ? (
    <DraftState
      page={page}
      changes={changes}
      problems={editor.strict ? editor.problems.size : 0}
      isReverting={bio.isReverting}
      onDiscard={() => dispatch({ kind: "discard" })}
      onUndoDiscard={() => bio.restore(content)}
      onRevert={bio.revert}
      onShare={onShare}
    />
  ) : (
    <ConflictNote
      theirs={theirs}
      changed={changesBetween(published, contentOf(theirs))}
      mine={changes}
      onTakeTheirs={() => dispatch({ kind: "takeTheirs" })}
      onKeepMine={() => dispatch({ kind: "keepMine" })}
    />
  );
}

function UndoButtons({ bio: { canUndo, canRedo, dispatch } }: { readonly bio: ReturnType<typeof useBioEditor> }) {
  return (
    <>
      <Button kind="quiet" icon="undo" iconOnly disabled={!canUndo} onClick={() => dispatch({ kind: "undo" })}>
        Undo
      </Button>
      <Button
        kind="quiet"
        icon="undo"
        iconOnly
        className="redo"
        disabled={!canRedo}
        onClick={() => dispatch({ kind: "redo" })}
      >
        Redo
      </Button>
    </>
  );
}

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
  const views = data && `${counted(data.views, "view", "views")} in 30 days`;
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
      {views && `, ${views}`}
    </>
  );
}
