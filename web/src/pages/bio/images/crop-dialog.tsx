import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
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

/** Part of the frame by which an arrow key moves the image. */
const step = 0.05;
const zoomStep = 0.25;
const arrows: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

const zoomed = (view: View, by: number): View => ({
  ...view,
  zoom: Math.min(nearest, Math.max(1, view.zoom + by)),
});

const percent = (part: number): string => `${part * 100}%`;
const spokenPart = (part: number): string => `${Math.round(part * 100)}%`;

export function CropDialog({ source, aspect, onCrop, onClose, onBroken }: Props) {
  const [shape, setShape] = useState<number>();
  const [view, setView] = useState(wholeView);
  const held = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const hint = useId();
  const crop = cropOf(shape ?? aspect, aspect, view);
  const move = (right: number, down: number): void =>
    setView((before) => movedView(before, cropOf(shape ?? aspect, aspect, before), right, down));
  const onKeyDown = (event: KeyboardEvent): void => {
    const arrow = arrows[event.key];
    if (arrow !== undefined) move(...arrow);
    else if (event.key === "+" || event.key === "=") setView((before) => zoomed(before, zoomStep));
    else if (event.key === "-") setView((before) => zoomed(before, -zoomStep));
    else return;
    event.preventDefault();
  };
  const onMove = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    if (held.current === undefined) return;
    const { width, height } = currentTarget.getBoundingClientRect();
    const right = (clientX - held.current.x) / width;
    const down = (clientY - held.current.y) / height;
    held.current = { x: clientX, y: clientY };
    move(right, down);
  };
  return (
    <Dialog onClose={onClose} title="Crop the image">
      <button
        type="button"
        className="crop-window"
        style={{ aspectRatio: aspect }}
        aria-label="Position of the picture"
        aria-describedby={hint}
        onKeyDown={onKeyDown}
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
      </button>
      <p className="hint" id={hint}>
        Drag the picture, or move it with the arrow keys. Plus and minus zoom.
      </p>
      <ZoomSlider zoom={view.zoom} onZoom={(zoom) => setView((before) => ({ ...before, zoom }))} />
      <ShownPart crop={crop} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="ink" onClick={() => onCrop(crop)} disabled={shape === undefined}>
          Use image
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface ZoomProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

const ZoomSlider = ({ zoom, onZoom }: ZoomProps) => (
  <label className="crop-slider">
    <span className="field-label">Zoom</span>
    <input
      type="range"
      min={1}
      max={nearest}
      step={0.01}
      value={zoom}
      onChange={(event) => onZoom(Number(event.target.value))}
    />
  </label>
);

/** Announces the part of the picture that is used. */
const ShownPart = ({ crop: { left, top, width, height } }: { readonly crop: Crop }) => (
  <span className="visually-hidden" role="status">
    Shown from {spokenPart(left)} to {spokenPart(left + width)} across and {spokenPart(top)} to{" "}
    {spokenPart(top + height)} down.
  </span>
);
