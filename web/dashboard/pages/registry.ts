import type { ComponentType, SVGProps } from "react";
import {
  ChartIcon,
  CoinsIcon,
  FileIcon,
  GearIcon,
  GridIcon,
  HomeIcon,
  KeyIcon,
  ListIcon,
  PeopleIcon,
  PersonIcon,
  ScreenIcon,
  ServerIcon,
  ShieldIcon,
  TextIcon,
  WaveIcon,
} from "../components/icons.tsx";
import { playgroundPages } from "./playground/pages.ts";

export type Access = "member" | "admin" | "owner" | "installation" | "session";

export interface PageEntry {
  /** Below `/w/:workspaceId` for workspace pages, from the root for all others. */
  path: string;
  title: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  /** The heading in the navigation that it stands under. */
  group: string;
  access: Access;
  /** Further words that the command palette finds it by. */
  words?: string;
  load(): Promise<{ default: ComponentType }>;
}

/** Every page in the navigation. A new one is a line here and a folder beside this file: see ../README.md. */
export const workspacePages: readonly PageEntry[] = [
  {
    path: "/",
    title: "Home",
    icon: HomeIcon,
    group: "",
    access: "member",
    words: "welcome start first request",
    load: () => import("./welcome/page.tsx"),
  },
  {
    path: "/keys",
    title: "API keys",
    icon: KeyIcon,
    group: "",
    access: "member",
    words: "secret token scopes",
    load: () => import("./keys/page.tsx"),
  },
  {
    path: "/usage",
    title: "Usage",
    icon: ChartIcon,
    group: "",
    access: "member",
    words: "charts latency errors tokens",
    load: () => import("./usage/page.tsx"),
  },
  {
    path: "/requests",
    title: "Requests",
    icon: ListIcon,
    group: "",
    access: "member",
    words: "live tail log status",
    load: () => import("./usage/requests-page.tsx"),
  },
  {
    path: "/credits",
    title: "Credits",
    icon: CoinsIcon,
    group: "",
    access: "member",
    words: "balance spend money billing report",
    load: () => import("./credits/page.tsx"),
  },
  ...playgroundPages,
  {
    path: "/models",
    title: "Models",
    icon: GridIcon,
    group: "Catalog",
    access: "member",
    words: "prices gateway providers",
    load: () => import("./catalog/models-page.tsx"),
  },
  {
    path: "/voices",
    title: "Voices",
    icon: WaveIcon,
    group: "Catalog",
    access: "member",
    words: "speech listen play",
    load: () => import("./catalog/voices-page.tsx"),
  },
  {
    path: "/languages",
    title: "Languages",
    icon: TextIcon,
    group: "Catalog",
    access: "member",
    words: "translate hear speak quality",
    load: () => import("./catalog/languages-page.tsx"),
  },
  {
    path: "/members",
    title: "Members",
    icon: PeopleIcon,
    group: "Workspace",
    access: "member",
    words: "invite invitations people roles",
    load: () => import("./members/page.tsx"),
  },
  {
    path: "/audit",
    title: "Audit log",
    icon: ShieldIcon,
    group: "Workspace",
    access: "owner",
    words: "history who did what",
    load: () => import("./audit/page.tsx"),
  },
  {
    path: "/settings",
    title: "Settings",
    icon: GearIcon,
    group: "Workspace",
    access: "member",
    words: "rename leave plan",
    load: () => import("./workspace/page.tsx"),
  },
];

export const accountPages: readonly PageEntry[] = [
  {
    path: "/account",
    title: "Profile",
    icon: PersonIcon,
    group: "Account",
    access: "session",
    words: "name e-mail password",
    load: () => import("./account/profile-page.tsx"),
  },
  {
    path: "/account/security",
    title: "Second factor",
    icon: ShieldIcon,
    group: "Account",
    access: "session",
    words: "totp authenticator recovery codes two",
    load: () => import("./account/security-page.tsx"),
  },
  {
    path: "/account/sessions",
    title: "Sessions",
    icon: ScreenIcon,
    group: "Account",
    access: "session",
    words: "devices sign out revoke",
    load: () => import("./account/sessions-page.tsx"),
  },
];

export const adminPages: readonly PageEntry[] = [
  {
    path: "/admin",
    title: "Health",
    icon: ServerIcon,
    group: "Installation",
    access: "installation",
    words: "admin status version database",
    load: () => import("./admin/health-page.tsx"),
  },
  {
    path: "/admin/workspaces",
    title: "Workspaces",
    icon: GridIcon,
    group: "Installation",
    access: "installation",
    words: "admin plans grants",
    load: () => import("./admin/workspaces-page.tsx"),
  },
  {
    path: "/admin/users",
    title: "People",
    icon: PeopleIcon,
    group: "Installation",
    access: "installation",
    words: "admin users reset link",
    load: () => import("./admin/users-page.tsx"),
  },
  {
    path: "/admin/engines",
    title: "Engines",
    icon: WaveIcon,
    group: "Installation",
    access: "installation",
    words: "admin queue memory restarts",
    load: () => import("./admin/engines-page.tsx"),
  },
  {
    path: "/admin/models",
    title: "Model files",
    icon: FileIcon,
    group: "Installation",
    access: "installation",
    words: "admin licence pull download",
    load: () => import("./admin/models-page.tsx"),
  },
  {
    path: "/admin/settings",
    title: "Server settings",
    icon: GearIcon,
    group: "Installation",
    access: "installation",
    words: "admin environment variables",
    load: () => import("./admin/settings-page.tsx"),
  },
  {
    path: "/admin/audit",
    title: "All audit",
    icon: ShieldIcon,
    group: "Installation",
    access: "installation",
    words: "admin history",
    load: () => import("./admin/audit-page.tsx"),
  },
];
