const here = (path) => new URL(path, document.baseURI).href;

// Whatever the component would ask of its makers' hosts is off; the page's security policy forbids it besides.
globalThis.Scalar.createApiReference("#reference", {
  url: here("openapi.json"),
  // The page may be open under another name of the service than the document gives.
  servers: [{ url: here("api/v1") }],
  theme: "none",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: "bearer" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "direct",
  orderSchemaPropertiesBy: "preserve",
  defaultOpenAllTags: true,
});
