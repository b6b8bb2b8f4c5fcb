import type { Choice } from "./voice-picker.tsx";

const place = "parlance.voice";

/** The voice that somebody chose to begin with, kept on purpose and in this browser only. */
export const defaultVoice = {
  get(): Choice | undefined {
    const [language, voice] = localStorage.getItem(place)?.split(" ") ?? [];
    return language && voice ? { language, voice } : undefined;
  },
  set({ language, voice }: Choice): void {
    localStorage.setItem(place, `${language} ${voice}`);
  },
};
