import { useEffect } from "react";
import { useStart } from "../../api/use-session.ts";
import { LinkButton } from "../../components/button.tsx";
import { Snippets } from "../../components/code.tsx";
import { FileIcon, GridIcon, WaveIcon } from "../../components/icons.tsx";
import { Logo } from "../../components/logo.tsx";
import { Notice } from "../../components/states.tsx";
import { firstRequests } from "../../lib/first-requests.ts";

const services = {
  voice: { icon: WaveIcon, text: "Speech, transcription, translation, dubbing, chat and live calls." },
  gateway: { icon: GridIcon, text: "One OpenAI-compatible address in front of every model, with exact credits." },
  extraction: { icon: FileIcon, text: "Documents in, structured data with a confidence out." },
};

/** What somebody sees who is not signed in: what this server is, and where to begin. */
export default function LandingPage() {
  const { isSetUp, installation } = useStart();
  useEffect(() => {
    document.title = "Parlance";
  }, []);
  return (
    <div className="min-h-dvh bg-sunken">
      <div className="mx-auto grid max-w-5xl gap-10 px-4 py-6 sm:px-6">
        <header className="flex items-center justify-between">
          <Logo />
          <LinkButton look="primary" to="/sign-in">
            Sign in
          </LinkButton>
        </header>
        <main className="grid gap-8">
          <div className="grid max-w-2xl gap-3 pt-6 sm:pt-10">
            <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">
              Voice, models and documents on a machine of your own.
            </h1>
            <p className="text-muted sm:text-lg">
              Three APIs in one program. Sign in to make a key, see what it is used for and what it costs.
            </p>
          </div>
          {!isSetUp && (
            <Notice>
              Nobody has an account yet. Open the set-up link that the server printed when it started, or make a new
              one: <code className="font-mono text-[13px]">./parlance setup-link</code>
            </Notice>
          )}
          <ul className="grid gap-3 md:grid-cols-3">
            {installation.services.map(({ name, title, baseUrl }) => {
              const { icon: Icon, text } = services[name];
              const docs = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/docs`;
              return (
                <li key={name} className="grid content-start gap-2 rounded-xl border bg-raised p-5 shadow-card">
                  <Icon className="text-xl text-accent-ink" />
                  <h2 className="font-semibold">{title}</h2>
                  <p className="text-sm text-muted">{text}</p>
                  <code className="truncate font-mono text-xs text-faint" title={baseUrl}>
                    {baseUrl}
                  </code>
                  <p className="flex gap-4 text-sm">
                    <a className="text-accent-ink underline" href={docs}>
                      API reference<span className="sr-only"> of {title}</span>
                    </a>
                    <a className="text-accent-ink underline" href={docs.replace(/docs$/, "openapi.json")}>
                      OpenAPI<span className="sr-only"> of {title}</span>
                    </a>
                  </p>
                </li>
              );
            })}
          </ul>
          <section className="grid gap-3">
            <h2 className="font-semibold">First requests</h2>
            <Snippets
              snippets={firstRequests(installation.services, "$KEY").map(({ title, snippets }) => ({
                label: title,
                code: snippets[0]?.code ?? "",
              }))}
            />
          </section>
        </main>
        <footer className="flex flex-wrap gap-x-5 gap-y-1 pb-8 text-[13px] text-muted">
          <span>Version {installation.version}</span>
          <a className="underline" href="/healthz">
            State of this server
          </a>
          {installation.services.some(({ name }) => name === "voice") && (
            <a className="underline" href="/call">
              Make a live call
            </a>
          )}
        </footer>
      </div>
    </div>
  );
}
