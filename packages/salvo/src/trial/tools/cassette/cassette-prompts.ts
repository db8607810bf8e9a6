import type { CassetteWriter } from '../../../models/cassette/write-cassette.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { SalvoError } from '../../../text/errors/salvo-error.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import type { PromptMessages } from '../mcp/server-prompt.ts';
import { type RecordedPrompt, recordedFiles, type ToolCassetteContents } from './tool-cassette-document.ts';

/** A prompt that a scenario asks a server for. */
export interface PromptCall {
  /** As the cassette names it. */
  server: string;
  name: string;
  arguments: Record<string, string>;
}

interface PromptsOptions {
  contents: ToolCassetteContents;
  writer: CassetteWriter<ToolCassetteContents>;
  redactor: Redactor;
  notRecorded: (problem: string) => SalvoError;
  shown: string;
}

/** The prompts of servers on a cassette. */
export class CassettePrompts {
  readonly #options: PromptsOptions;
  /** What was recorded in this run. All trials get the same messages. */
  readonly #recorded = new Map<string, Promise<PromptMessages>>();

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  replay(asked: PromptCall): PromptMessages {
    const { contents, notRecorded, shown, redactor } = this.#options;
    const call = redactor.value(asked);
    const found = contents.prompts.get(call.server)?.find((each) => isSame(each, call));
    if (found) return found.messages.map(withCalls);
    const given = JSON.stringify(call.arguments);
    throw notRecorded(
      `The prompt "${call.name}" of the MCP server ${call.server} with ${given} is not on the cassette ${shown}.`,
    );
  }

  record(call: PromptCall, ask: () => Promise<PromptMessages>): Promise<PromptMessages> {
    const key = canonicalJson([call.server, call.name, call.arguments]);
    const known = this.#recorded.get(key);
    // Another trial that asked for it may have been stopped.
    if (known) return known.catch(() => this.record(call, ask));
    const asked = ask().then(async (messages) => {
      await this.#keep(call, messages);
      return messages;
    });
    this.#recorded.set(key, asked);
    asked.catch(() => this.#recorded.delete(key));
    return asked;
  }

  async #keep({ server, ...call }: PromptCall, messages: PromptMessages): Promise<void> {
    const { redactor, writer } = this.#options;
    const kept = messages.map((message) =>
      recordedMessage({ ...message, content: redactor.text(message.content ?? '') }),
    );
    const entry = { ...redactor.value(call), messages: kept };
    await writer.write((contents) => {
      const others = (contents.prompts.get(server) ?? []).filter((each) => !isSame(each, entry));
      contents.prompts.set(server, [...others, entry]);
    });
  }
}

function isSame(a: Omit<RecordedPrompt, 'messages'>, b: Omit<RecordedPrompt, 'messages'>): boolean {
  return a.name === b.name && canonicalJson(a.arguments) === canonicalJson(b.arguments);
}

type RecordedMessage = RecordedPrompt['messages'][number];

function recordedMessage(message: PromptMessages[number] & { content: string }): RecordedMessage {
  const { role, content } = message;
  const kept = recordedFiles('files' in message ? (message.files ?? []) : []);
  return { role, content, ...(kept.length > 0 && { files: kept }) };
}

function withCalls({ role, content, files }: RecordedMessage): PromptMessages[number] {
  return role === 'user' ? { role, content, ...(files && { files }) } : { role, content, tool_calls: [] };
}
