import { useNavigate } from "@tanstack/react-router";
import { useUser } from "../api/use-session.ts";
import { BookIcon, PersonIcon, ScreenIcon, ShieldIcon, SignOutIcon, UpDownIcon } from "../components/icons.tsx";
import { Menu, MenuItem, MenuLine } from "../components/menu.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { useSignOut } from "./use-sign-out.ts";

export function AccountMenu() {
  const user = useUser();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <div className="grid gap-2 border-t p-3">
      <ThemeSwitch />
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-h-11 w-full min-w-0 items-center gap-2.5 rounded-lg px-2 text-left text-sm hover:bg-hover"
            aria-label={`Account of ${user.name}`}
          >
            <span
              aria-hidden="true"
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-ink"
            >
              {[...user.name][0]?.toUpperCase()}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{user.name}</span>
              <span className="block truncate text-xs text-faint">{user.email}</span>
            </span>
            <UpDownIcon className="text-faint" />
          </button>
        }
      >
        <MenuItem icon={<PersonIcon />} onSelect={() => navigate({ to: "/account" })}>
          Profile
        </MenuItem>
        <MenuItem icon={<ShieldIcon />} onSelect={() => navigate({ to: "/account/security" })}>
          Second factor
        </MenuItem>
        <MenuItem icon={<ScreenIcon />} onSelect={() => navigate({ to: "/account/sessions" })}>
          Sessions
        </MenuItem>
        <MenuItem icon={<BookIcon />} onSelect={() => open("/docs", "_blank", "noopener")}>
          API reference
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<SignOutIcon />} onSelect={signOut}>
          Sign out
        </MenuItem>
      </Menu>
    </div>
  );
}
