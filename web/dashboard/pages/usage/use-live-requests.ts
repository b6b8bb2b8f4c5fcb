import { useEffect, useState } from "react";
import type { RequestRow } from "../../../../src/dashboard/contract/usage.ts";
import { addressOf } from "../../api/client.ts";

/** More would only slow the page down: older ones are in the list behind it. */
const mostRows = 200;

/** Requests as they end, newest first, while `isOn`. */
export function useLiveRequests(workspaceId: string, isOn: boolean) {
  const [rows, setRows] = useState<readonly RequestRow[]>([]);
  const [state, setState] = useState<"off" | "connecting" | "on" | "lost">("off");
  useEffect(() => {
    setRows([]);
    if (!isOn) {
      setState("off");
      return;
    }
    setState("connecting");
    const source = new EventSource(addressOf("tailRequests", { params: { workspaceId } }));
    source.onopen = () => setState("on");
    source.onerror = () => setState("lost");
    source.onmessage = ({ data }) => {
      const row = JSON.parse(data) as RequestRow;
      setRows((old) => [row, ...old.filter(({ id }) => id !== row.id)].slice(0, mostRows));
    };
    return () => source.close();
  }, [workspaceId, isOn]);
  return { rows, state };
}
