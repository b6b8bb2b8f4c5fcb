import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { StopIcon } from "../../../components/icons.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { Bubble } from "../kit/bubble.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { RangeField } from "../kit/range-field.tsx";
import { readEvents } from "../kit/read-events.ts";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";

interface Usage {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number | null;
}
interface Message {
  role: "user" | "assistant";
  content: string;
  usage?: Usage;
}
type ChatEvent =
  | { type: "delta"; text: string }
  | { type: "done"; reply: string; usage: Usage }
  | { type: "error"; error: { message: string } };

export default function ChatPage() {
  const voice = useService("voice");
  const run = useRun();
  const [system, setSystem] = useState("");
  const [temperature, setTemperature] = useState(0.4);
  const [draft, setDraft] = useState("What is the capital of France?");
  const [messages, setMessages] = useState<Message[]>([]);
  const [request, setRequest] = useState<ShownRequest>();

  const send = () =>
    run.start(async (signal) => {
      const asked: Message[] = [...messages, { role: "user", content: draft }];
      const body = {
        messages: [
          ...(system.trim() ? [{ role: "system", content: system }] : []),
          ...asked.map(({ role, content }) => ({ role, content })),
        ],
        temperature,
        stream: true,
      };
      setMessages(asked);
      setDraft("");
      setRequest({ url: `${voice.url}/v1/chat`, json: body, isStream: true });
      const response = await voice.send("/v1/chat", { ...jsonRequest(body), signal });
      let written = "";
      for await (const event of readEvents<ChatEvent>(response)) {
        if (event.type === "error") throw new Error(event.error.message);
        written = event.type === "delta" ? written + event.text : event.reply;
        const usage = event.type === "done" ? { usage: event.usage } : {};
        setMessages([...asked, { role: "assistant", content: written, ...usage }]);
      }
    });
  return (
    <PlaygroundFrame
      title="Chat"
      description="The server's own chat engine, word by word. The whole conversation is sent each time; what the model still knows of it is counted as cached."
      capabilities={["chat"]}
      request={request}
      actions={
        messages.length > 0 && (
          <Button
            isSmall
            onClick={() => {
              run.stop();
              setMessages([]);
            }}
          >
            New conversation
          </Button>
        )
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_18rem]">
        <Card>
          <div className="grid gap-4">
            <div role="log" aria-label="Conversation" className="grid gap-3">
              {messages.length === 0 && <EmptyState title="Say something">Nothing of it is kept.</EmptyState>}
              {messages.map((message, index) => (
                <Bubble key={index} isMine={message.role === "user"} text={message.content}>
                  {message.usage && <Tokens usage={message.usage} />}
                </Bubble>
              ))}
            </div>
            <RunState run={run} />
            <form
              className="grid gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                void send();
              }}
            >
              <Field label="Message" isLabelHidden>
                <Textarea
                  rows={2}
                  value={draft}
                  onChange={(event) => setDraft(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter" || event.shiftKey || draft.trim() === "") return;
                    event.preventDefault();
                    void send();
                  }}
                />
              </Field>
              <div className="flex gap-2">
                <Button type="submit" look="primary" isBusy={run.isBusy} disabled={draft.trim() === ""}>
                  Send
                </Button>
                {run.isBusy && (
                  <Button onClick={run.stop}>
                    <StopIcon />
                    Stop
                  </Button>
                )}
              </div>
            </form>
          </div>
        </Card>
        <Card title="Settings">
          <div className="grid gap-4">
            <Field label="System prompt" isOptional hint="Replaces the server's own, which asks for short sentences.">
              <Textarea rows={4} value={system} onChange={(event) => setSystem(event.target.value)} />
            </Field>
            <RangeField label="Temperature" value={temperature} min={0} max={2} step={0.1} onChange={setTemperature} />
          </div>
        </Card>
      </div>
    </PlaygroundFrame>
  );
}

function Tokens({ usage: { input_tokens, output_tokens, cached_tokens } }: { usage: Usage }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge>{input_tokens} tokens in</Badge>
      <Badge>{output_tokens} out</Badge>
      {cached_tokens !== null && (
        <Badge tone="accent">{formatPercent(input_tokens === 0 ? 0 : cached_tokens / input_tokens)} cached</Badge>
      )}
    </span>
  );
}
