import type { Context, Span as LibrarySpan } from "@opentelemetry/api";
import { within } from "./within.ts";
import type { SpanContext } from "../ports.ts";
import type { Span, Traces } from "./telemetry.ts";

const exportMilliseconds = 5_000;
const closeMilliseconds = 2_000;

/**
 * Sends traces to a collector, in the background and in batches. At most 2,048 spans wait; the rest are dropped. Only this
 * loads the library. `attributes` are the operator's, and replace ours of the same name.
 */
export async function openTraces(
  endpoint: string,
  {
    role,
    version,
    attributes,
  }: { readonly role: string; readonly version: string; readonly attributes: Readonly<Record<string, string>> },
): Promise<Traces> {
  const [api, sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: exportMilliseconds,
    concurrencyLimit: 2,
  });
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.name": "reelscript",
        "service.version": version,
        "reelscript.role": role,
        "process.pid": process.pid,
        ...attributes,
      }),
    ),
    spanLimits: { attributeValueLengthLimit: 500 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: 2_048,
        maxExportBatchSize: 512,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: exportMilliseconds,
      }),
    ],
  });
  const tracer = provider.getTracer("reelscript");

  function wrap(span: LibrarySpan, above: Context): Span {
    const context = api.trace.setSpan(above, span);
    const { traceId, spanId } = span.spanContext();
    return {
      context: { traceId, spanId },
      set: (attributes) => void span.setAttributes(attributes),
      child: (name, startTime) => wrap(tracer.startSpan(name, startTime && { startTime }, context), context),
      end(failed, at) {
        if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end(at);
      },
    };
  }

  return {
    start(name, kind, cause) {
      const options = {
        kind: kind === "server" ? api.SpanKind.SERVER : api.SpanKind.INTERNAL,
        links: cause ? [{ context: linkTo(cause, api.TraceFlags.SAMPLED) }] : [],
      };
      return wrap(tracer.startSpan(name, options, api.ROOT_CONTEXT), api.ROOT_CONTEXT);
    },
    async close() {
      await within(closeMilliseconds, provider.shutdown()).catch(() => undefined);
    },
  };
}

const linkTo = ({ traceId, spanId }: SpanContext, traceFlags: number) => ({
  traceId,
  spanId,
  traceFlags,
  isRemote: true,
});
