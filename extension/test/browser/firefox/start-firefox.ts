import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { temporaryPlace } from "../../../../server/test/harness/temporary-place.ts";
import { connectMarionette, idOf, type ElementHandle, type Marionette } from "./connect-marionette.ts";
import { firefoxProgram } from "./firefox-program.ts";

export interface FirefoxOptions {
  /** `host:port` of a proxy that all requests over TLS go through. */
  readonly secureProxy: string;
  /** A folder with an extension, installed until the browser closes. */
  readonly unpacked: string;
}

/** A Firefox with one tab. Scripts and presses go to the document in focus: the tab's own, or a frame inside it. */
export interface Firefox {
  visit(address: string): Promise<void>;
  addCookie(cookie: { readonly name: string; readonly value: string }): Promise<void>;
  /** Runs a function in the document in focus; it can't refer to anything around it. Documents can't see what it sees. */
  evaluate<Result, Given extends readonly unknown[] = []>(
    run: (...given: Given) => Result,
    ...given: Given
  ): Promise<Result>;
  /** Runs a function in the browser's own window. */
  evaluateInBrowser<Result, Given extends readonly unknown[] = []>(
    run: (...given: Given) => Result,
    ...given: Given
  ): Promise<Result>;
  /** The element that a function gives, or undefined. */
  find<Given extends readonly unknown[]>(
    run: (...given: Given) => Element | undefined,
    ...given: Given
  ): Promise<ElementHandle | undefined>;
  /** Presses an element as a person does, which fails where something covers it. */
  press(element: ElementHandle): Promise<void>;
  type(element: ElementHandle, text: string): Promise<void>;
  /** Presses a place of the tab's document, in CSS pixels. */
  pressAt(place: { readonly x: number; readonly y: number }): Promise<void>;
  /** Does something in the document of a frame, then returns to the tab's own. */
  within<Result>(frame: ElementHandle, act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Starts a Firefox without a window and with a new profile, which reaches this machine and the proxy only. */
export async function startFirefox({ secureProxy, unpacked }: FirefoxOptions): Promise<Firefox> {
  const profile = await mkdtemp(path.join(temporaryPlace, "reelscript-firefox-"));
  const program = firefoxProgram ?? expect.fail("no Firefox");
  const child = spawn(
    program,
    // Its own window is where the browser asks for permissions.
    ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
    {
      env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: "1280", MOZ_HEADLESS_HEIGHT: "900" },
      stdio: "ignore",
    },
  );
  const ended = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await Promise.race([
      portOf(profile),
      ended.then(([code]) => expect.fail(`Firefox ended with ${String(code)}`)),
    ]);
    const marionette = await connectMarionette(port);
    await marionette.send("WebDriver:NewSession", {
      acceptInsecureCerts: true,
      proxy: { proxyType: "manual", sslProxy: secureProxy },
    });
    await marionette.send("Addon:Install", { path: unpacked, temporary: true });
    return {
      ...controls(marionette),
      async close() {
        marionette.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Firefox chooses a free port, and writes it to its profile. */
async function portOf(profile: string): Promise<number> {
  for (;;) {
    const written = await readFile(path.join(profile, "MarionetteActivePort"), "utf8").catch(() => "");
    if (Number(written) > 0) return Number(written);
    await pause(50);
  }
}

function controls(marionette: Marionette): Omit<Firefox, "close"> {
  const run = async <Result>(script: (...given: never[]) => unknown, given: readonly unknown[], more = {}) => {
    const parameters = { script: `return (${script.toString()})(...arguments)`, args: given, ...more };
    return (await marionette.send<{ readonly value: Result }>("WebDriver:ExecuteScript", parameters)).value;
  };
  return {
    visit: async (url) => marionette.send("WebDriver:Navigate", { url }),
    addCookie: async (cookie) => marionette.send("WebDriver:AddCookie", { cookie }),
    // Sees into closed shadow roots.
    evaluate: async (script, ...given) => run(script, given, { sandbox: "system" }),
    async evaluateInBrowser(script, ...given) {
      await marionette.send("Marionette:SetContext", { value: "chrome" });
      try {
        return await run(script, given);
      } finally {
        await marionette.send("Marionette:SetContext", { value: "content" });
      }
    },
    find: async (script, ...given) =>
      (await run<ElementHandle | null>(script, given, { sandbox: "system" })) ?? undefined,
    press: async (element) => marionette.send("WebDriver:ElementClick", { id: idOf(element) }),
    async type(element, text) {
      await marionette.send("WebDriver:ElementClear", { id: idOf(element) });
      await marionette.send("WebDriver:ElementSendKeys", { id: idOf(element), text });
    },
    pressAt: async ({ x, y }) =>
      marionette.send("WebDriver:PerformActions", {
        actions: [
          {
            type: "pointer",
            id: "mouse",
            parameters: { pointerType: "mouse" },
            actions: [
              { type: "pointerMove", duration: 0, origin: "viewport", x: Math.round(x), y: Math.round(y) },
              { type: "pointerDown", button: 0 },
              { type: "pointerUp", button: 0 },
            ],
          },
        ],
      }),
    async within(frame, act) {
      await marionette.send("WebDriver:SwitchToFrame", { element: idOf(frame) });
      try {
        return await act();
      } finally {
        await marionette.send("WebDriver:SwitchToFrame", { id: null });
      }
    },
  };
}
