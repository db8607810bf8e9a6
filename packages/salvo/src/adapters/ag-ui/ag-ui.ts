import { quoteOutput } from '../../text/output/quote-output.ts';
import type { AdapterConfig } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import { parseAgentReply } from '../agent/agent-reply.ts';
import { createServerCaller, type ServerCaller } from '../agent/call-server.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { missingEnd, readEvents, streamKind } from '../call/read-events.ts';
import { RunEvents } from './run-events.ts';
import { runInput } from './run-input.ts';

/** An agent behind AG-UI: one run for each turn, whose events are read to its end. */
export const createAgUiAdapter: AdapterFactory<'ag-ui'> = (options, context) => {
  const server = createServerCaller(options, context);
  const { callee } = server;
  /** The state of each conversation, which the agent changes and gets back. */
  const states = new Map<string, unknown>();
  return {
    providerName: () => 'ag-ui',
    async sendTurn(messages, tools, config) {
      const { id = '', request = 0 } = config.conversation ?? {};
      const body = runInput({ messages, tools, config }, states.get(id) ?? options.state);
      const deadline = { callee, timeoutSeconds: options.timeout_seconds, signal: config.signal };
      const run = new RunEvents(callee, body.state);
      return withDeadline({ ...deadline, missing: () => missingEnd(run.events) }, async (signal) => {
        const call = { accept: 'text/event-stream', headers: config.given?.headers, signal };
        await readRun(await server.send(body, call), { server, run, chunk: config.chunk });
        if (id !== '') states.set(id, run.state);
        return parseAgentReply(run.reply(), { callee, request, asked: messages, toolsSeen: options.tools_seen });
      });
    },
    endConversation: async (id) => {
      states.delete(id);
    },
  };
};

interface Reading {
  server: ServerCaller;
  run: RunEvents;
  /** Receives what is said as it comes, so that it is not lost if the run never ends. */
  chunk: AdapterConfig['chunk'];
}

async function readRun(response: Response, { server, run, chunk }: Reading): Promise<void> {
  const { callee } = server;
  const kind = streamKind(response);
  if (kind === undefined) {
    const text = await server.read(() => response.text());
    const type = response.headers.get('content-type') ?? 'no content type';
    const received = `${quoteOutput(type)}: ${quoteOutput(text, { length: 300 })}`;
    throw new AdapterError(
      'bad_response',
      `${callee} answered with ${received}\nAG-UI answers with text/event-stream.`,
    );
  }
  await server.read(async () => {
    for await (const { data } of readEvents(response, kind)) {
      const said = run.add(data);
      if (said !== undefined) chunk?.(JSON.stringify(said));
      // The connection may stay open.
      if (run.isOver) break;
    }
  });
  if (!run.isOver) throw new AdapterError('connection', `${callee} broke off: its events have no RUN_FINISHED.`);
}
