import { callService, pathOf, type ServiceError, type ServiceName } from "../../../api/call-service.ts";
import { useStart } from "../../../api/use-session.ts";
import { toast } from "../../../components/toast.tsx";
import { usePlaygroundKey } from "../use-playground-key.ts";

export interface Service {
  /** The address for clients, without a slash at its end: what code shows. */
  readonly url: string;
  /** A request with the session's key. A key that was revoked or ran out is replaced once. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

export function useService(name: ServiceName): Service {
  const { installation } = useStart();
  const getKey = usePlaygroundKey();
  const base = pathOf(installation.services, name) ?? "";
  const url = (installation.services.find((service) => service.name === name)?.baseUrl ?? "").replace(/\/$/, "");
  return {
    url,
    async send(path, init = {}) {
      const key = await getKey();
      try {
        return await callService(base + path, key, init);
      } catch (error) {
        if ((error as ServiceError).status !== 401) throw error;
        const fresh = await getKey(key);
        const response = await callService(base + path, fresh, init);
        toast("The playground's key had been revoked or had run out. The request was sent with a new one.");
        return response;
      }
    },
  };
}
