/** What is asked of an upstream, before its own key and headers are added. */
export interface CallRequest {
  path: string;
  body?: Buffer | undefined;
  contentType?: string | undefined;
  /** Of the caller. */
  headers?: Record<string, string | string[] | undefined> | undefined;
  /** Beyond the allow-list, for the upstream's own protocols. */
  extra?: Record<string, string>;
  method?: "GET" | "POST";
}
