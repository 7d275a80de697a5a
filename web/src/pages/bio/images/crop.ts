/** A part of an image, in parts of its width and height. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a person chose: how near, and around which point. */
export interface View {
  /** 1: as much of the image as fits. */
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export const wholeView: View = { zoom: 1, x: 0.5, y: 0.5 };
export const nearest = 4;

/** The part of an image of this shape (width by height) that a window of the shape `aspect` shows. */
export function cropOf(shape: number, aspect: number, { zoom, x, y }: View): Crop {
  const width = Math.min(1, aspect / shape) / zoom;
  const height = Math.min(1, shape / aspect) / zoom;
  return { left: within(x, width), top: within(y, height), width, height };
}

const within = (middle: number, size: number): number => Math.min(1 - size, Math.max(0, middle - size / 2));

/** The view after the image was moved by parts of the window; it stops where the image ends. */
export function movedView(view: View, crop: Crop, right: number, down: number): View {
  const [left, top] = [crop.left - right * crop.width, crop.top - down * crop.height];
  return {
    ...view,
    x: Math.min(1 - crop.width, Math.max(0, left)) + crop.width / 2,
    y: Math.min(1 - crop.height, Math.max(0, top)) + crop.height / 2,
  };
}
