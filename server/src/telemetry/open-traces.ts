import type { Context, Span as LibrarySpan } from "@opentelemetry/api";
import { within } from "../within.ts";
import type { Span, Traces } from "./telemetry.ts";

const exportMilliseconds = 5_000;
const closeMilliseconds = 2_000;

/**
 * Sends traces to a collector, in the background and in batches. At most 2,048 spans wait; the rest are dropped. Only this
 * loads the library.
 */
export async function openTraces(endpoint: string, role: string): Promise<Traces> {
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
      resourceFromAttributes({ "service.name": "reelscript", "reelscript.role": role, "process.pid": process.pid }),
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
    return {
      set: (attributes) => void span.setAttributes(attributes),
      child: (name, startTime) => wrap(tracer.startSpan(name, startTime && { startTime }, context), context),
      end(failed, at) {
        if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end(at);
      },
    };
  }

  return {
    start(name, kind) {
      const options = { kind: kind === "server" ? api.SpanKind.SERVER : api.SpanKind.INTERNAL };
      return wrap(tracer.startSpan(name, options, api.ROOT_CONTEXT), api.ROOT_CONTEXT);
    },
    async close() {
      await within(closeMilliseconds, provider.shutdown()).catch(() => undefined);
    },
  };
}
