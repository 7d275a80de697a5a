import "wxt/browser";

declare module "wxt/browser" {
  // WXT writes the list of paths into a generated file; this one needs no generating.
  interface WxtRuntime {
    getURL(path: `/${string}`): string;
  }
}
