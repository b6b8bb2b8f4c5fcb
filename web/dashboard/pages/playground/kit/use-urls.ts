import { useEffect, useRef } from "react";

/** Addresses of what was received, for players and downloads. Leaving the page forgets all of it. */
export function useUrls(): (blob: Blob) => string {
  const made = useRef<string[]>([]);
  useEffect(() => () => made.current.splice(0).forEach((url) => void URL.revokeObjectURL(url)), []);
  return (blob) => {
    const url = URL.createObjectURL(blob);
    made.current.push(url);
    return url;
  };
}
