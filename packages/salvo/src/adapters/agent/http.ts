import { compileExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrText } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../../text/json/nesting.ts';
import { systemPrompt } from '../../trace/write/messages-as.ts';
import type { AdapterConfig, AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import type { OptionsOf } from '../adapter-options-schema.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { missingEnd, readEvents, type StreamEvent, type StreamKind, streamKind } from '../call/read-events.ts';
import { agentRequest, parseAgentJson } from './agent-json.ts';
import { type AgentReplySource, parseAgentReply } from './agent-reply.ts';
import { createServerCaller, type ServerCaller } from './call-server.ts';
import { renderTemplate, withQuery } from './request-template.ts';
import { readServerAnswer } from './server-answer.ts';

/**
 * An agent behind a URL. It receives the same JSON as a command does on stdin, or what the template `request` says. It may
 * give the same answers, a stream of a known form, or one that the expressions of `response` can read.
 */
export const createHttpAdapter: AdapterFactory<'http'> = (options, context) => {
  const server = createServerCaller(options, context);
  const { callee } = server;
  /** The session that a server has given to a conversation. */
  const sessions = new Map<string, string>();
  return {
    providerName: () => 'http',
    async sendTurn(messages, tools, config) {
      const { id, request = 0 } = config.conversation ?? {};
      const source = { callee, request, asked: messages, toolsSeen: options.tools_seen };
      const session = sessions.get(id ?? '');
      const body = requestBody({ messages, tools, config }, { options, session, callee });
      const events: StreamEvent[] = [];
      const deadline = { callee, timeoutSeconds: options.timeout_seconds, signal: config.signal };
      return withDeadline({ ...deadline, missing: () => missingEnd(events.length) }, async (signal) => {
        const accept = 'application/json, text/event-stream;q=0.9';
        const call = { accept, headers: config.given?.headers, signal };
        const { method } = options;
        const response = await (method === 'GET'
          ? server.get({ ...call, url: withQuery(server.url, body) })
          : server.send(body, { ...call, method }));
        const answer = await readAnswer(response, { server, options, source, events, chunk: config.chunk });
        if (id !== undefined && answer.session !== undefined) sessions.set(id, answer.session);
        return answer.result;
      });
    },
    endConversation: async (id) => {
      sessions.delete(id);
    },
  };
};

function requestBody(
  { messages, tools, config }: TurnRequest,
  { options, session, callee }: { options: OptionsOf<'http'>; session: string | undefined; callee: string },
): unknown {
  const document = agentRequest(messages, tools, { ...config, form: options.messages_as });
  if (options.request === undefined) return document;
  const isLearnt = responsePaths(options.response)?.session !== undefined;
  const values = {
    ...document,
    model: config.model,
    system: systemPrompt(messages),
    message: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    tool_results: messages.slice(messages.findLastIndex(({ role }) => role !== 'tool_result') + 1),
    // Before a server has given one, there is none to send. One that gives none can be told apart by ours.
    session: isLearnt ? session : config.conversation?.id,
  };
  return renderTemplate(options.request, values, (name) => {
    const problem = `the request has {{${name}}}, and there is no such value in this trial`;
    throw new AdapterError('bad_request', `${callee} was not asked: ${problem}.`);
  });
}

interface ReadOptions {
  server: ServerCaller;
  options: OptionsOf<'http'>;
  source: AgentReplySource;
  /** Receives those of a stream, as they come. */
  events: StreamEvent[];
  chunk: AdapterConfig['chunk'];
}

interface Answer {
  result: AdapterTurnResult;
  session?: string | undefined;
}

async function readAnswer(response: Response, reading: ReadOptions): Promise<Answer> {
  const { server, options, source, events } = reading;
  const kind = streamKind(response);
  const paths = responsePaths(options.response);
  const text = kind === undefined ? await server.read(() => response.text()) : '';
  if (kind === undefined && !paths) return { result: parseAgentJson(text, source) };
  if (kind !== undefined) await server.read(() => readStream(response, kind, reading));
  if (!paths) {
    const { answerInStream } = await import('./server-stream.ts');
    return { result: parseAgentReply(answerInStream(events, source.callee), source) };
  }
  const received = kind === undefined ? [jsonOrText(text)] : events.map(namedData);
  const { reply, session } = readServerAnswer(received, paths, source.callee);
  return { result: parseAgentReply(reply, source), session };
}

/** What was said is passed on at once, so that it is not lost if the stream breaks off or never ends. */
async function readStream(
  response: Response,
  kind: StreamKind,
  { options, events, chunk }: ReadOptions,
): Promise<void> {
  const path = responsePaths(options.response)?.text;
  const textOf = path === undefined ? undefined : compileExpression(path);
  for await (const event of readEvents(response, kind)) {
    events.push(event);
    if (isNestedTooDeeply(event.data)) continue;
    const said = textOf ? textOf(namedData(event)) : event.data;
    if (!textOf || typeof said === 'string') chunk?.(JSON.stringify(said));
  }
}

/** Expressions see the name of an event as its field `event`. */
function namedData({ name, data }: StreamEvent): unknown {
  return name !== undefined && isRecord(data) && !('event' in data) ? { ...data, event: name } : data;
}

/** One expression is that of the text. */
function responsePaths(response: OptionsOf<'http'>['response']) {
  return typeof response === 'string' ? { text: response } : response;
}
