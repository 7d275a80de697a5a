import { useRef, useState, type PointerEvent } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";

/** A part of an image, as fractions of its width and height. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface View {
  /** 1 shows as much of the image as fits. */
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const wholeView: View = { zoom: 1, x: 0.5, y: 0.5 };
const nearest = 4;

/** The part of an image with this shape (width divided by height) that fills a frame of the shape `aspect`. */
function cropOf(shape: number, aspect: number, { zoom, x, y }: View): Crop {
  const width = Math.min(1, aspect / shape) / zoom;
  const height = Math.min(1, shape / aspect) / zoom;
  return { left: within(x - width / 2, width), top: within(y - height / 2, height), width, height };
}

const within = (start: number, size: number): number => Math.min(1 - size, Math.max(0, start));

const movedView = (view: View, { left, top, width, height }: Crop, right: number, down: number): View => ({
  ...view,
  x: within(left - right * width, width) + width / 2,
  y: within(top - down * height, height) + height / 2,
});

interface Props {
  readonly source: string;
  /** Desired width divided by height. */
  readonly aspect: number;
  readonly onCrop: (crop: Crop) => void;
  readonly onClose: () => void;
  readonly onBroken: () => void;
}

/** The image can be dragged too. */
const sliders = [
  { label: "Zoom", of: "zoom", least: 1, most: nearest },
  { label: "Horizontal", of: "x", least: 0, most: 1 },
  { label: "Vertical", of: "y", least: 0, most: 1 },
] as const;

const percent = (part: number): string => `${part * 100}%`;

export function CropDialog({ source, aspect, onCrop, onClose, onBroken }: Props) {
  const [shape, setShape] = useState<number>();
  const [view, setView] = useState(wholeView);
  const held = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const crop = cropOf(shape ?? aspect, aspect, view);
  const onMove = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    if (held.current === undefined) return;
    const { width, height } = currentTarget.getBoundingClientRect();
    const right = (clientX - held.current.x) / width;
    const down = (clientY - held.current.y) / height;
    held.current = { x: clientX, y: clientY };
    setView((before) => movedView(before, cropOf(shape ?? aspect, aspect, before), right, down));
  };
  return (
    <Dialog onClose={onClose} title="Crop the image">
      <div
        className="crop-window"
        style={{ aspectRatio: aspect }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          held.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onMove}
        onPointerUp={() => (held.current = undefined)}
        onPointerCancel={() => (held.current = undefined)}
      >
        <img
          src={source}
          alt=""
          draggable={false}
          style={{
            width: percent(1 / crop.width),
            height: percent(1 / crop.height),
            left: percent(-crop.left / crop.width),
            top: percent(-crop.top / crop.height),
          }}
          onLoad={({ currentTarget }) => setShape(currentTarget.naturalWidth / currentTarget.naturalHeight)}
          onError={onBroken}
        />
      </div>
      <div className="stack tight">
        {sliders.map(({ label, of, least, most }) => (
          <label key={label} className="crop-slider">
            <span className="field-label">{label}</span>
            <input
              type="range"
              min={least}
              max={most}
              step={0.01}
              value={view[of]}
              onChange={(event) => setView((before) => ({ ...before, [of]: Number(event.target.value) }))}
            />
          </label>
        ))}
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="ink" onClick={() => onCrop(crop)} disabled={shape === undefined}>
          Use image
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
