import { QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "../components/toast.tsx";
import { ApiError, call, type Input, type RouteInput, type RouteName, type RouteReply } from "./client.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

// Whoever was signed out elsewhere learns it at the next request: the shell asks who is there and shows the sign-in page.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state;
  if (type === "updated" && error instanceof ApiError && error.code === "unauthorized") {
    void queryClient.invalidateQueries({ queryKey: ["getStart"] });
  }
});

interface ApiOptions<Reply> {
  isOff?: boolean;
  /** Asked again every so often while the page is seen. */
  everyMs?: number | false;
  /** The old answer stays while a new one, for other parameters, is on its way. */
  keepsOld?: boolean;
  initial?: Reply;
}

/** What a route answers, kept and refreshed. */
export function useApi<Name extends RouteName>(
  name: Name,
  input?: RouteInput<Name>,
  options: ApiOptions<RouteReply<Name>> = {},
) {
  return useQuery<RouteReply<Name>>({
    queryKey: input === undefined ? [name] : [name, input],
    queryFn: () => call(name, ...([input] as unknown as Input<Name>)),
    enabled: !options.isOff,
    refetchInterval: options.everyMs ?? false,
    ...(options.keepsOld ? { placeholderData: (old) => old as never } : {}),
  });
}

interface ActionOptions<Name extends RouteName, Shown extends RouteName> {
  refreshes?: RouteName[];
  /** Said when it worked. */
  says?: string;
  /** A form shows what went wrong; otherwise a toast does. */
  isQuiet?: boolean;
  /** What is shown at once, before the server has answered. Taken back when it refuses. */
  expects?: { of: Shown; change(shown: RouteReply<Shown>, input: RouteInput<Name>): RouteReply<Shown> };
}

/** Changes something, then asks again for what it changed. */
export function useAction<Name extends RouteName, Shown extends RouteName = Name>(
  name: Name,
  { refreshes = [], says, isQuiet = false, expects }: ActionOptions<Name, Shown> = {},
) {
  const client = useQueryClient();
  return useMutation<RouteReply<Name>, Error, RouteInput<Name>, [readonly unknown[], unknown][]>({
    mutationFn: (input) => call(name, ...([input] as unknown as Input<Name>)),
    onMutate: async (input) => {
      if (!expects) return [];
      await client.cancelQueries({ queryKey: [expects.of] });
      const before = client.getQueriesData({ queryKey: [expects.of] });
      client.setQueriesData<RouteReply<Shown>>(
        { queryKey: [expects.of] },
        (shown) => shown && expects.change(shown, input),
      );
      return before;
    },
    onSuccess: async () => {
      await Promise.all(refreshes.map((route) => client.invalidateQueries({ queryKey: [route] })));
      if (says) toast(says);
    },
    onError: (error, _input, before) => {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
      if (!isQuiet) toast(error.message, { isBad: true });
    },
  });
}
