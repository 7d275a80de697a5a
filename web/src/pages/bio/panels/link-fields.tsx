import { bioLimits } from "@reelscript/contract/values";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/field.tsx";
import { Switch } from "../../../components/switch.tsx";
import { CheckedInput } from "../checked-input.tsx";
import type { BioLink } from "../draft/content.ts";
import { fromLocalField, toLocalField, zoneName } from "../draft/local-moment.ts";
import { useEditor } from "../editor-context.ts";
import { ImageField } from "../images/image-field.tsx";
import { UrlInput } from "./url-input.tsx";

interface Props {
  readonly link: BioLink;
  readonly onEdit: (part: Partial<BioLink>, topic?: string) => void;
  readonly onDelete: () => void;
}

export function LinkFields({ link, onEdit, onDelete }: Props) {
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
          <UrlInput
            label="URL"
            name={`links.${id}.url`}
            value={url}
            onChange={(value) => onEdit({ url: value }, "url")}
          />
          <ImageField
            label="Thumbnail"
            name={`links.${id}.thumbnailUrl`}
            value={thumbnailUrl}
            aspect={1}
            hint="A small square image beside the title."
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
