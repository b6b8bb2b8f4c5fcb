import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call, type Input, type RouteReply } from "../../api/client.ts";

/** Tokens of links travel in the fragment, which browsers send to nobody. */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  return token;
}

/** Asks what the link is good for before its form is shown. */
export function useLinkCheck<Name extends "checkSetupLink" | "checkInvitation" | "checkResetLink">(
  name: Name,
  token: string,
) {
  return useQuery<RouteReply<Name>>({
    queryKey: [name, token],
    queryFn: () => {
      if (!/^\w{20,80}$/.test(token))
        throw new ApiError(410, "link_expired", "This link is not complete. Copy all of it, to the last character.");
      return call(name, ...([{ body: { token } }] as unknown as Input<Name>));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
