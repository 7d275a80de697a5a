import type { Syntax } from "./admin-arguments.ts";

const model = {
  name: "model",
  value: "model",
  description:
    "A name of the model hub such as owner/name (or owner/name@revision), as model list shows them, or a folder",
};
const language = (description: string) => ({ name: "language", value: "code", required: false, description });

export const modelSyntaxes: readonly Syntax[] = [
  {
    words: ["model", "list"],
    command: "modelList",
    summary: "List the speech models: those on this machine, which is in use, and larger ones to add",
    flags: [],
    example: "model list",
  },
  {
    words: ["model", "add"],
    command: "modelAdd",
    summary: "Download a Whisper from the model hub, or copy one from a folder; its name is alone on the last line",
    operand: model,
    flags: [language("Use it for this language from the next start on")],
    example: "model add onnx-community/whisper-small --language hi",
  },
  {
    words: ["model", "use"],
    command: "modelUse",
    summary: "Use a model from the next start on; whisper-base is the embedded one",
    operand: { ...model, description: "A model on this machine, as model list shows it" },
    flags: [language("For this language only; otherwise for every language without a model of its own")],
    example: "model use whisper-base",
  },
  {
    words: ["model", "test"],
    command: "modelTest",
    summary: "Measure speed, memory and wrong words of a model on this machine, with the reels that come along",
    operand: { ...model, required: false, description: "A model on this machine; the one in use unless given" },
    flags: [language("Measure with this language only")],
    example: "model test onnx-community/whisper-small --language fr",
  },
];
