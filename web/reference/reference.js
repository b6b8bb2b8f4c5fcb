// Draws the API reference of the service whose page this is. Nothing is fetched from another host, and nothing is reported to one.
const services = [
  { title: "Voice platform", base: "" },
  { title: "Model gateway", base: "/gateway/v1" },
  { title: "Document extraction", base: "/extraction" },
  { title: "Administration", base: "/admin" },
];
const here = location.pathname.replace(/\/docs\/?$/, "");

/** Those that this program serves; each may also be served alone, at an address of its own. */
async function findServed() {
  const listed = services.some(({ base }) => base === here) ? services : [{ title: document.title, base: here }];
  const replies = await Promise.all(listed.map(({ base }) => fetch(`${base}/openapi.json`)));
  return listed.filter((_, index) => replies[index].ok);
}

Scalar.createApiReference("#reference", {
  sources: (await findServed()).map(({ title, base }) => ({
    title,
    slug: base.replace(/^\//, "").replace(/\/.*/, "") || "voice",
    url: `${base}/openapi.json`,
    default: base === here,
    // Requests of the page go to the server that it came from, by whatever name that is known here.
    servers: [{ url: location.origin + base }],
  })),
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Left: curl, JavaScript in browsers and Node, Python.
  hiddenClients: Object.fromEntries(
    "c clojure csharp dart fsharp go http java kotlin objc ocaml php powershell r ruby rust swift"
      .split(" ")
      .map((name) => [name, true]),
  ),
});
