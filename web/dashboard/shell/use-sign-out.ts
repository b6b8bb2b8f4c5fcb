import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { toast } from "../components/toast.tsx";

/** Ends the session and forgets everything that it showed: the next person at this browser starts from an empty page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await call("signOut");
    } catch (error) {
      toast((error as Error).message, { isBad: true });
      return;
    }
    client.clear();
    location.assign("/sign-in");
  };
}
