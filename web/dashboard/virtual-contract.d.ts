/** Made by contract-plugin.ts. */
declare module "virtual:contract" {
  export const apiBase: string;
  export const places: Record<
    import("../../src/dashboard/contract/routes.ts").RouteName,
    { readonly method: string; readonly path: string }
  >;
  export const scopeGroups: typeof import("../../src/dashboard/contract/keys.ts").scopeGroups;
  export const shortestPassword: number;
}
