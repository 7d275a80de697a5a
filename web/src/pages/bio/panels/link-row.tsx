import { useId, type ComponentProps, type CSSProperties } from "react";
import type { Output } from "@reelscript/client/core";
import { Chip } from "../../../components/inline.tsx";
import { classNames } from "../../../components/class-names.ts";
import { Icon } from "../../../components/icon.tsx";
import { Switch, Input } from "../../../components/field.tsx";
import { counted, shownAddress, locale } from "../../../format.ts";
import type { BioLink } from "../draft/content.ts";
import { useEditor, CheckedInput } from "../draft/editor-context.tsx";
import { bioLimits } from "@reelscript/contract/values";
import { Button } from "../../../components/button.tsx";
import { ImageField } from "../images/image-field.tsx";
import { meaningOf, tidyUrl } from "../draft/typed-url.ts";

interface FieldsProps {
  readonly link: BioLink;
  readonly onEdit: (part: Partial<BioLink>, topic?: string) => void;
  readonly onDelete: () => void;
}

interface Props extends FieldsProps {
  readonly clicks: number | undefined;
  readonly failing: Output<"getBioLinkHealth">["failing"][number] | undefined;
  readonly item: { readonly "data-held": true | undefined; readonly style: CSSProperties | undefined };
  readonly handle: ComponentProps<"button">;
  readonly isOpen: boolean;
  /** In milliseconds; determines what the schedule shows. */
  readonly now: number;
  readonly onToggle: () => void;
}

export function LinkRow({ link, clicks, failing, item, handle, isOpen, now, onToggle, onEdit, onDelete }: Props) {
  const id = useId();
  const { problems } = useEditor();
  const { type, title, url, enabled } = link;
  const isHeader = type === "header";
  const isReady = ![...problems.keys()].some((field) => field.startsWith(`links.${link.id}.`));
  const name = title || (isHeader ? "Untitled header" : "Untitled link");
  return (
    <li className={classNames(!enabled && "switched-off", isHeader && "header", isOpen && "open")} {...item}>
      <button type="button" className="grip" {...handle}>
        <Icon name="grip" />
      </button>
      <button
        type="button"
        className="open-link"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Edit ${name}`}
        onClick={onToggle}
      >
        <b className="one-line semibold">
          <bdi>{name}</bdi>
        </b>
        <span className="meta one-line">
          {isHeader ? "Header" : <bdi>{shownAddress(url ?? "") || "No URL yet"}</bdi>}
        </span>
      </button>
      <span className="states row wrap">
        {!isReady && <Chip kind="warn">Not ready</Chip>}
        {failing !== undefined && failing.url === url && <Failing {...failing} />}
        {link.highlighted && <Chip>Highlighted</Chip>}
        <Schedule link={link} now={now} />
        {clicks !== undefined && !isHeader && <Clicks link={link} clicks={clicks} />}
      </span>
      <Switch
        label={`Show ${name}`}
        labelHidden
        checked={enabled}
        onChange={(checked) => onEdit({ enabled: checked })}
      />
      <div className="edit stack" id={id} hidden={!isOpen}>
        {isOpen && <LinkFields link={link} onEdit={onEdit} onDelete={onDelete} />}
      </div>
    </li>
  );
}

function Failing({ problem, since }: NonNullable<Props["failing"]>) {
  const why = problem === "gone" ? "The site says this page is gone" : "The site doesn’t exist";
  return (
    <span title={`${why}, since ${dayAndTime(since)}`}>
      <Chip kind="bad">{problem === "gone" ? "Page gone" : "Site gone"}</Chip>
      <span className="visually-hidden">
        {why}, since {dayAndTime(since)}
      </span>
    </span>
  );
}

function Clicks({ link: { url, id }, clicks }: { readonly link: BioLink; readonly clicks: number }) {
  // Clicks on mail and telephone links aren't counted; an unpublished link was never seen.
  if (id.startsWith("new-") || !/^https?:/i.test(url ?? "")) return undefined;
  return (
    <span className="meta" title="In the last 30 days">
      {counted(clicks, "click", "clicks")}
    </span>
  );
}

function Schedule({ link: { startsAt, endsAt }, now }: { readonly link: BioLink; readonly now: number }) {
  if (endsAt !== null && Date.parse(endsAt) <= now) return <Chip>Ended {dayAndTime(endsAt)}</Chip>;
  if (startsAt !== null && Date.parse(startsAt) > now) return <Chip>From {dayAndTime(startsAt)}</Chip>;
  return endsAt === null ? undefined : <Chip>Until {dayAndTime(endsAt)}</Chip>;
}

function LinkFields({ link, onEdit, onDelete }: FieldsProps) {
  const { problems } = useEditor();
  const { id, type, title, url, thumbnailUrl, highlighted, startsAt, endsAt } = link;
  return (
    <>
      <CheckedInput
        label="Title"
        name={`links.${id}.title`}
        value={title}
        longest={bioLimits.linkTitle}
        onChange={(value) => onEdit({ title: value }, "title")}
      />
      {type === "link" && (
        <>
          <CheckedInput
            label="URL"
            name={`links.${id}.url`}
            value={url ?? ""}
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="Web address, email or phone"
            tidy={tidyUrl}
            meaning={meaningOf}
            onChange={(value) => onEdit({ url: value }, "url")}
          />
          <ImageField
            label="Thumbnail"
            name={`links.${id}.thumbnailUrl`}
            value={thumbnailUrl}
            aspect={1}
            hint="A small square image next to the title."
            onChange={(value) => onEdit({ thumbnailUrl: value }, "thumbnailUrl")}
          />
        </>
      )}
      <fieldset className="when">
        <legend className="field-label">Schedule</legend>
        <Input
          label="From"
          name={`links.${id}.startsAt`}
          type="datetime-local"
          value={toLocalField(startsAt)}
          onChange={(event) => onEdit({ startsAt: fromLocalField(event.target.value) }, "startsAt")}
        />
        <Input
          label="Until"
          name={`links.${id}.endsAt`}
          type="datetime-local"
          value={toLocalField(endsAt)}
          error={problems.get(`links.${id}.endsAt`)}
          onChange={(event) => onEdit({ endsAt: fromLocalField(event.target.value) }, "endsAt")}
        />
        <p className="hint">Times are in {zoneName()}. Leave blank to always show.</p>
      </fieldset>
      <div className="row wrap">
        {type === "link" && (
          <Switch label="Highlight" checked={highlighted} onChange={(checked) => onEdit({ highlighted: checked })} />
        )}
        <span className="at-end">
          <Button kind="danger" size="small" icon="bin" onClick={onDelete}>
            Delete
          </Button>
        </span>
      </div>
    </>
  );
}

/** Swedish dates and times have the format of date fields. */
const inField = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short" });

/** Converts a moment in UTC to `2026-12-01T09:00`, for a field in local time. */
export const toLocalField = (moment: string | null): string =>
  moment === null ? "" : inField.format(new Date(moment)).replace(" ", "T");

/** Converts to UTC; null for an empty or incomplete field. */
export function fromLocalField(text: string): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const dayAndTimeFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});

/** Dec 1, 9:00 AM */
const dayAndTime = (moment: string): string => dayAndTimeFormat.format(new Date(moment));

/** Europe/Lisbon (GMT+1) */
function zoneName(): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(new Date());
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === "UTC" ? zone : `${zone.replaceAll("_", " ")} (${offset})`;
}
