import { SettingError } from "../../platform/settings/settings.ts";
import type { KindName } from "./kinds/kind.ts";
import { guessKind, kinds } from "./kinds/kinds.ts";
import type { UpstreamAddress } from "./upstream.ts";

/** The upstreams that the settings name, in order. */
export function readAddresses(settings: {
  upstreamUrl: string | undefined;
  upstreamKey: string | undefined;
  upstreamKind: string | undefined;
  upstreamModels: string | undefined;
  upstreamName: string | undefined;
}): UpstreamAddress[] {
  const urls = split(settings.upstreamUrl);
  const keys = split(settings.upstreamKey);
  const names = split(settings.upstreamKind);
  const models = split(settings.upstreamModels);
  refuseMore("SVC_GATEWAY_UPSTREAM_KEY", keys, urls);
  refuseMore("SVC_GATEWAY_UPSTREAM_KIND", names, urls);
  const titles = split(settings.upstreamName);
  refuseMore("SVC_GATEWAY_UPSTREAM_MODELS", models, urls);
  refuseMore("SVC_GATEWAY_UPSTREAM_NAME", titles, urls);
  const wrong = titles.find((title) => !/^[\w.-]{0,40}$/.test(title));
  if (wrong !== undefined) {
    throw new SettingError(
      `SVC_GATEWAY_UPSTREAM_NAME has "${wrong}" but takes up to 40 letters, digits, ".", "_" and "-".`,
    );
  }
  return urls.map((url, index) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new SettingError(
        `SVC_GATEWAY_UPSTREAM_URL is "${url}" but must be an address that begins with http:// or https://.`,
      );
    }
    const kind = names[index] || guessKind(url);
    if (!Object.hasOwn(kinds, kind)) {
      throw new SettingError(
        `SVC_GATEWAY_UPSTREAM_KIND is "${kind}" but must be one of ${Object.keys(kinds).join(", ")}.`,
      );
    }
    const patterns = models[index]?.split(/\s+/).filter(Boolean) ?? [];
    return {
      url,
      key: keys[index] || undefined,
      kind: kind as KindName,
      models: patterns,
      name: `${kind}-${index + 1}`,
      title: titles[index] || `upstream-${index + 1}`,
    };
  });
}

function split(list: string | undefined): string[] {
  return list ? list.split(",").map((part) => part.trim()) : [];
}

function refuseMore(name: string, given: string[], urls: string[]): void {
  if (given.length > urls.length) {
    throw new SettingError(`${name} has ${given.length} entries but SVC_GATEWAY_UPSTREAM_URL has ${urls.length}.`);
  }
}
