import type { ReactNode, SVGProps } from "react";

/** Simple strokes on a 20-pixel grid, drawn for Parlance. Decorative: the words beside them carry the meaning. */
function icon(strokes: ReactNode) {
  return function Icon(props: SVGProps<SVGSVGElement>) {
    return (
      <svg
        viewBox="0 0 20 20"
        width="1.15em"
        height="1.15em"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        {...props}
      >
        {strokes}
      </svg>
    );
  };
}

export const HomeIcon = icon(<path d="M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4" />);
export const KeyIcon = icon(
  <>
    <circle cx="7" cy="13" r="3.5" />
    <path d="m9.5 10.5 7-7M13.5 6.5l2 2M11.5 8.5l1.5 1.5" />
  </>,
);
export const ChartIcon = icon(<path d="M3 17h14M5.5 17v-5M10 17V4.5M14.5 17V9" />);
export const CoinsIcon = icon(
  <>
    <ellipse cx="10" cy="5.5" rx="6" ry="2.5" />
    <path d="M4 5.5v4.5c0 1.4 2.7 2.5 6 2.5s6-1.1 6-2.5V5.5M4 10v4.5C4 15.9 6.7 17 10 17s6-1.1 6-2.5V10" />
  </>,
);
export const GridIcon = icon(<path d="M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z" />);
export const PeopleIcon = icon(
  <>
    <circle cx="7.5" cy="7" r="3" />
    <path d="M2 16.5c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5M13 4.3a3 3 0 0 1 0 5.4M15 12.4c1.7.6 2.8 2 3 4.1" />
  </>,
);
export const PersonIcon = icon(
  <>
    <circle cx="10" cy="7" r="3.3" />
    <path d="M3.8 17c.5-3.2 2.9-4.8 6.2-4.8s5.7 1.6 6.2 4.8" />
  </>,
);
export const ListIcon = icon(<path d="M7 5.5h10M7 10h10M7 14.5h10M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01" />);
export const ShieldIcon = icon(<path d="M10 2.8 4 5v4.5c0 3.7 2.5 6.3 6 7.7 3.5-1.4 6-4 6-7.7V5z" />);
export const ServerIcon = icon(<path d="M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5h.01M6.5 13.5h.01" />);
export const PlayIcon = icon(<path d="M6.5 4.2v11.6l9-5.8z" fill="currentColor" />);
export const PauseIcon = icon(<path d="M7 4.5v11M13 4.5v11" strokeWidth="2.6" />);
export const StopIcon = icon(<path d="M5.5 5.5h9v9h-9z" fill="currentColor" />);
export const FlaskIcon = icon(
  <path d="M8 3h4M9 3v5l-4.6 7.2A1.2 1.2 0 0 0 5.4 17h9.2a1.2 1.2 0 0 0 1-1.8L11 8V3M6.5 12.5h7" />,
);
export const PlusIcon = icon(<path d="M10 4v12M4 10h12" />);
export const CheckIcon = icon(<path d="m4 10.5 4 4 8-9" />);
export const CrossIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const CopyIcon = icon(<path d="M7.5 7.5h9v9h-9zM12.5 7V3.5h-9v9H7" />);
export const DownloadIcon = icon(<path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />);
export const UploadIcon = icon(<path d="M10 13V3.5M6 7l4-4 4 4M3.5 16.5h13" />);
export const SearchIcon = icon(
  <>
    <circle cx="9" cy="9" r="5.5" />
    <path d="m13.2 13.2 3.8 3.8" />
  </>,
);
export const DotsIcon = icon(<path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth="2.6" />);
export const ChevronDownIcon = icon(<path d="m5.5 8 4.5 4.5L14.5 8" />);
export const ChevronRightIcon = icon(<path d="m8 5.5 4.5 4.5L8 14.5" />);
export const UpDownIcon = icon(<path d="m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5" />);
export const MenuIcon = icon(<path d="M3.5 6h13M3.5 10h13M3.5 14h13" />);
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.3" />
    <path d="M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1" />
  </>,
);
export const MoonIcon = icon(<path d="M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z" />);
export const ScreenIcon = icon(<path d="M3 4h14v9.5H3zM7.5 17h5M10 13.5V17" />);
export const SignOutIcon = icon(<path d="M8 3.5H4v13h4M8 10h9M13.5 6.5 17 10l-3.5 3.5" />);
export const WarnIcon = icon(<path d="M10 3.5 2.5 16.5h15zM10 8.5v3.5M10 14.3h.01" />);
export const InfoIcon = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 9.3v4M10 6.5h.01" />
  </>,
);
export const GearIcon = icon(<path d="M3.5 6h8M15.5 6h1M3.5 14h1M8.5 14h8M13.5 4v4M6.5 12v4" />);
export const BookIcon = icon(
  <path d="M10 5.5C8 4 5.5 3.7 3 4v11.5c2.5-.3 5 0 7 1.5 2-1.5 4.5-1.8 7-1.5V4c-2.5-.3-5 0-7 1.5zM10 5.5V17" />,
);
export const MailIcon = icon(<path d="M3 4.5h14v11H3zM3.5 5.5 10 11l6.5-5.5" />);
export const WaveIcon = icon(<path d="M3.5 8.5v3M6.8 6v8M10 3.5v13M13.2 6.5v7M16.5 8.5v3" />);
export const TextIcon = icon(<path d="M4 5.5V4h12v1.5M10 4v12M7.5 16h5" />);
export const FileIcon = icon(<path d="M5 2.8h6.5L15 6.3v10.9H5zM11 3v3.8h3.8M7.5 10.5h5M7.5 13.5h5" />);
export const RefreshIcon = icon(
  <path d="M16 8.5A6.3 6.3 0 0 0 4.7 7M4 11.5A6.3 6.3 0 0 0 15.3 13M4.5 3.5V7H8M15.5 16.5V13H12" />,
);
export const TrashIcon = icon(<path d="M3.5 5.5h13M8 5V3.5h4V5M5 5.5l.8 11h8.4l.8-11M8.5 8.5v5M11.5 8.5v5" />);
export const PencilIcon = icon(<path d="m4 16 .8-3.5 8.7-8.7 2.7 2.7-8.7 8.7zM11.8 5.5l2.7 2.7" />);
export const ExternalIcon = icon(<path d="M11.5 3.5h5v5M16 4l-7 7M14 11.5v5H3.5V6h5" />);
export const PhoneIcon = icon(<path d="M6 3 3.5 4.5c0 6.5 5.5 12 12 12L17 14l-3.5-2.5-2 1.5A9 9 0 0 1 7 8.5l1.5-2z" />);
export const SwapIcon = icon(<path d="M4 7h12M13 4l3 3-3 3M16 13H4M7 10l-3 3 3 3" />);
export const MicIcon = icon(
  <>
    <rect x="7.5" y="3" width="5" height="9" rx="2.5" />
    <path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5" />
  </>,
);
export const ChatIcon = icon(<path d="M3.5 4.5h13v9H9l-3.5 3v-3h-2z" />);
export const ScaleIcon = icon(<path d="M10 3.5v13M5 16.5h10M4 6h12M4 6l-2 5h4zM16 6l-2 5h4z" />);
export const DubIcon = icon(<path d="M3 5h7v5H3zM10 10h7v5h-7zM13 4.5l2 2-2 2M7 15.5l-2-2 2-2" />);
export const MapIcon = icon(
  <>
    <circle cx="6" cy="6" r="1.5" />
    <circle cx="14" cy="8" r="1.5" />
    <circle cx="8" cy="14" r="1.5" />
    <path d="M3 17.5h14.5" />
  </>,
);
