/** Every page of the dashboard's navigation, as in web/dashboard/pages/registry.ts; a test compares the two. */
export const playgroundPaths = [
  "/playground/speech",
  "/playground/voices",
  "/playground/transcribe",
  "/playground/live",
  "/playground/translate",
  "/playground/chat",
  "/playground/extraction",
  "/playground/dub",
  "/playground/personas",
  "/playground/call",
  "/playground/gateway",
  "/playground/embeddings",
];

export const workspacePaths = [
  "/",
  "/keys",
  "/usage",
  "/requests",
  "/credits",
  ...playgroundPaths,
  "/models",
  "/voices",
  "/languages",
  "/members",
  "/audit",
  "/settings",
];

export const otherPaths = [
  "/account",
  "/account/security",
  "/account/sessions",
  "/admin",
  "/admin/workspaces",
  "/admin/users",
  "/admin/engines",
  "/admin/models",
  "/admin/settings",
  "/admin/audit",
];

export function pagesOf(workspaceId: string): string[] {
  return [...workspacePaths.map((path) => `/w/${workspaceId}${path === "/" ? "" : path}`), ...otherPaths];
}
