import { drawing } from "./element.ts";

/** The mark: a frame that caption lines leave. `edge` is the color of what is behind it. */
export const logo = (size: number, frame = "currentColor", edge = "#fff"): SVGSVGElement =>
  drawing("0 0 26 26", { width: String(size), height: String(size), class: "logo" }, [
    {
      d: "M6.500 1h7A3.500 3.500 0 0 1 17 4.500v17a3.500 3.500 0 0 1-3.500 3.500h-7A3.500 3.500 0 0 1 3 21.500v-17A3.500 3.500 0 0 1 6.500 1",
      fill: frame,
    },
    {
      d: "M7 11.200h17.500v3.900H7zM7 17h11.500v3.900H7z",
      fill: "#ffd84a",
      stroke: edge,
      "stroke-width": "3",
      "paint-order": "stroke",
    },
  ]);
