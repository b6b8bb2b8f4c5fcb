import { addressOf } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { PlayButton } from "../../components/audio-player.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Badge, EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";

export default function VoicesPage() {
  const voices = useApi("listVoices");
  const [search, setSearch] = useSearchState("q", "");
  const word = search.toLowerCase().trim();
  const found = (voices.data?.languages ?? [])
    .map((language) => {
      const isNamed = `${language.label} ${language.code}`.toLowerCase().includes(word);
      const shown = isNamed
        ? language.voices
        : language.voices.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(word));
      return { ...language, shown };
    })
    .filter(({ shown }) => shown.length > 0);
  return (
    <>
      <PageHeader
        title="Voices"
        description="Press play to hear one say a sentence of its language. The name below is what requests put into “voice”."
      />
      <SearchInput label="Search voices and languages" value={search} onChange={setSearch} className="sm:w-80" />
      {voices.isPending ? (
        <Card isFlush>
          <SkeletonRows rows={8} />
        </Card>
      ) : voices.error ? (
        <Card>
          <ErrorState error={voices.error} onRetry={() => voices.refetch()} />
        </Card>
      ) : found.length === 0 ? (
        <Card>
          <EmptyState title="No voice fits">Try a language, such as “Spanish”.</EmptyState>
        </Card>
      ) : (
        found.map(({ code, label, voices: all, shown }) => (
          <Card key={code} isFlush title={label} description={<code className="font-mono text-xs">{code}</code>}>
            <ul className="grid gap-px sm:grid-cols-2 lg:grid-cols-3">
              {shown.map((voice) => (
                <li key={voice.id} className="flex items-center gap-2 px-3 py-1.5 hover:bg-sunken">
                  <PlayButton
                    src={addressOf("playVoice", { params: { language: code, voice: voice.id } })}
                    label={`${voice.label}, ${label}`}
                  />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate text-sm font-medium">{voice.label}</span>
                    <code className="block truncate font-mono text-xs text-faint">{voice.id}</code>
                  </span>
                  {voice.id === all[0]?.id && <Badge>default</Badge>}
                </li>
              ))}
            </ul>
          </Card>
        ))
      )}
    </>
  );
}
