import { showPanel } from "../panel/show-panel.ts";

void showPanel(document.querySelector("#root") ?? document.body);
