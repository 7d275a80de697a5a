import type { LocalBiller } from "../adapters/billing/local-biller.ts";
import { createOperatorBiller } from "../adapters/billing/operator-biller.ts";
import type { StripeSettings } from "../adapters/billing/stripe-biller.ts";
import { createFetchDocument } from "../adapters/guarded-fetch/fetch-document.ts";
import { createProbeLink } from "../adapters/guarded-fetch/probe-link.ts";
import { createWebhookSender } from "../adapters/guarded-fetch/webhook-sender.ts";
import { createImageSource, createPictureSource } from "../adapters/pictures/picture-sources.ts";
import { createCanary } from "../adapters/platforms/check-ways.ts";
import { createExits, directExits, type ExitOptions, type Exits } from "../adapters/platforms/exits.ts";
import type { Platform } from "../adapters/platforms/platform.ts";
import { createReelLocator } from "../adapters/platforms/reel-locator.ts";
import { createReelSources, type ReelSourcesOptions } from "../adapters/reel-sources.ts";
import type { Biller, Clock, Mailer, Transcriber, VideoRenderer } from "../ports.ts";
import type { FaultListener, JoinedPorts } from "../settings/service-settings.ts";

interface PortParts {
  /** URLs of these platforms are understood. */
  readonly platforms: readonly Platform[];
  /** Reels and pictures of these platforms are fetched; all platforms unless given. */
  readonly fetched?: readonly Platform[];
  readonly sources: Omit<ReelSourcesOptions, "platforms" | "clock" | "log" | "onHint" | "exitsOf">;
  /** Addresses from which each platform is requested; without it, directly. */
  readonly exits?: ((platform: Platform) => Omit<ExitOptions, "platform" | "clock" | "onHint">) | undefined;
  /** A public reel that is requested once an hour. */
  readonly canaryUrl?: string | undefined;
  readonly transcriber: Transcriber | undefined;
  readonly videoRenderer?: VideoRenderer | undefined;
  /** Stripe; `fetch` is set if another server replaces Stripe's. */
  readonly stripe?:
    | {
        readonly secretKey: string;
        readonly webhookSecret: string;
        readonly apiBase?: string | undefined;
        readonly fetch?: typeof globalThis.fetch;
      }
    | undefined;
  /** Used without Stripe; a process that only works on the queue has neither. */
  readonly localBiller?: LocalBiller | undefined;
  readonly operatorSetsPlans?: boolean;
  readonly mailer?: Mailer | undefined;
  /** Receivers of webhooks may be on the same machine. */
  readonly isDevelopment?: boolean;
  /** The operator's networks where receivers may be, too. */
  readonly webhookNetworks?: readonly string[] | undefined;
  /** Time limit for drawing a stranger's picture; 20 by default. */
  readonly drawSeconds?: number | undefined;
  readonly clock: Clock;
  readonly onNotice: FaultListener["onNotice"];
  /** Receives advice for the operator. */
  readonly onHint?: ((hint: string) => void) | undefined;
}

/** Creates all ports but the store from the opened parts. */
export async function joinPorts({
  platforms,
  fetched = platforms,
  sources,
  exits,
  canaryUrl,
  transcriber,
  videoRenderer,
  stripe,
  localBiller,
  operatorSetsPlans = false,
  mailer,
  isDevelopment = false,
  webhookNetworks,
  drawSeconds,
  clock,
  onNotice,
  onHint,
}: PortParts): Promise<JoinedPorts & { readonly sources: string }> {
  const log = (message: string, error: unknown): void => onNotice(error, message);
  // All parts of the service share a platform's exits, and so what one part learns about them.
  const exitsByPlatform = new Map(
    platforms.map((platform) => [
      platform,
      createExits({ ...exits?.(platform), platform: platform.name, clock, onHint }),
    ]),
  );
  const exitsOf = (platform: Platform): Exits => exitsByPlatform.get(platform) ?? directExits;
  const source = await createReelSources({ ...sources, platforms: fetched, exitsOf, clock, log, onHint });
  return {
    locator: createReelLocator({ platforms, isSetUp: source.hasSource, exitsOf, log }),
    source,
    canary:
      canaryUrl === undefined
        ? undefined
        : createCanary(canaryUrl, { platforms: fetched, checksOf: source.checksOf, exitsOf }),
    sources: source.description,
    pictures: createPictureSource(fetched, exitsOf, drawSeconds),
    images: createImageSource(undefined, drawSeconds),
    probeLink: createProbeLink(),
    fetchDocument: createFetchDocument(),
    webhookSender: createWebhookSender({ mayBeLoopback: isDevelopment, allowedNetworks: webhookNetworks }),
    transcriber,
    videoRenderer,
    biller: stripe
      ? await openStripe({ ...stripe, onNotice })
      : operatorSetsPlans
        ? createOperatorBiller()
        : localBiller,
    localCheckout: stripe || operatorSetsPlans ? undefined : localBiller,
    mailer,
    clock,
  };
}

/** Stripe's client has hundreds of files, and most processes need none of them. */
async function openStripe(settings: StripeSettings): Promise<Biller> {
  const { createStripeBiller } = await import("../adapters/billing/stripe-biller.ts");
  return createStripeBiller(settings);
}
