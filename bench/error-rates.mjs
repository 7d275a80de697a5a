export { sumOfErrors as summed, textErrorsOf as errorsOf } from "../whisper/dist/index.js";
