import { Segments } from "../components/field.tsx";
import { MoonIcon, ScreenIcon, SunIcon } from "../components/icons.tsx";
import { setTheme, type Theme, useTheme } from "../lib/theme.ts";

const options: { value: Theme; label: React.ReactNode }[] = [
  { value: "system", label: <Choice icon={<ScreenIcon />} name="System" /> },
  { value: "light", label: <Choice icon={<SunIcon />} name="Light" /> },
  { value: "dark", label: <Choice icon={<MoonIcon />} name="Dark" /> },
];

function Choice({ icon, name }: { icon: React.ReactNode; name: string }) {
  return (
    <>
      {icon}
      <span className="sr-only">{name}</span>
    </>
  );
}

export function ThemeSwitch() {
  return (
    <div className="flex items-center justify-between gap-2 pl-2 text-[13px] text-muted">
      Theme
      <Segments label="Theme" value={useTheme()} options={options} onChange={setTheme} />
    </div>
  );
}
