import { ChatIcon, ListIcon, MapIcon, MicIcon, ScaleIcon, TextIcon, WaveIcon } from "../../components/icons.tsx";
import type { PageEntry } from "../registry.ts";

const common = { group: "Playground", access: "member" } as const;

/** A page for every capability. */
export const playgroundPages: readonly PageEntry[] = [
  {
    ...common,
    path: "/playground/speech",
    title: "Speech",
    icon: WaveIcon,
    words: "playground text to speech tts speak",
    load: () => import("./speech/page.tsx"),
  },
  {
    ...common,
    path: "/playground/voices",
    title: "Compare voices",
    icon: ScaleIcon,
    words: "playground two side by side default",
    load: () => import("./speech/compare-page.tsx"),
  },
  {
    ...common,
    path: "/playground/transcribe",
    title: "Transcribe",
    icon: ListIcon,
    words: "playground speech to text stt recording subtitles",
    load: () => import("./hearing/transcribe-page.tsx"),
  },
  {
    ...common,
    path: "/playground/live",
    title: "Live transcription",
    icon: MicIcon,
    words: "playground microphone socket stream interim",
    load: () => import("./hearing/live-page.tsx"),
  },
  {
    ...common,
    path: "/playground/translate",
    title: "Translate",
    icon: TextIcon,
    words: "playground languages",
    load: () => import("./words/translate-page.tsx"),
  },
  {
    ...common,
    path: "/playground/chat",
    title: "Chat",
    icon: ChatIcon,
    words: "playground conversation llm",
    load: () => import("./words/chat-page.tsx"),
  },
  {
    ...common,
    path: "/playground/embeddings",
    title: "Embeddings",
    icon: MapIcon,
    words: "playground similarity vectors map",
    load: () => import("./words/embeddings-page.tsx"),
  },
];
