import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { MessageView, TraceHead } from '../../../../src/app/view/trial-view.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import { useMessages } from './api.ts';
import styles from './conversation.module.css';

const KINDS = ['system', 'user', 'assistant', 'tool_result'] as const;
const NAMES: Record<MessageView['role'], string> = {
  system: 'System',
  user: 'User',
  assistant: 'Agent',
  tool_result: 'Tool result',
};

/** The conversation as it went. Only what is on the screen is in the page. */
export function Conversation({ trace }: { trace: TraceHead }) {
  const pages = useMessages(trace.trace_id);
  const [hidden, setHidden] = useState<ReadonlySet<MessageView['role']>>(new Set());
  const messages = useMemo(
    () => (pages.data?.pages.flatMap((page) => page.messages) ?? []).filter(({ role }) => !hidden.has(role)),
    [pages.data, hidden],
  );
  const toggle = (kind: MessageView['role']) =>
    setHidden((now) => (now.has(kind) ? new Set([...now].filter((each) => each !== kind)) : new Set([...now, kind])));
  return (
    <section aria-label="Conversation">
      <div className={styles.head}>
        <h2>Conversation</h2>
        <fieldset className={styles.kinds}>
          <legend className="visually-hidden">What is shown</legend>
          {KINDS.map((kind) => (
            <label key={kind}>
              <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} /> {NAMES[kind]}
            </label>
          ))}
        </fieldset>
      </div>
      <Messages messages={messages} traceId={trace.trace_id} />
      {trace.agent_log !== undefined && (
        <details className={styles.log}>
          <summary>What the agent printed</summary>
          <AgentText text={trace.agent_log} />
        </details>
      )}
    </section>
  );
}

function Messages({ messages, traceId }: { messages: MessageView[]; traceId: string }) {
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: messages.length,
    estimateSize: () => 96,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => messages[index]?.index ?? index,
  });
  return (
    <div ref={list} className={styles.messages} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start, key }) => {
        const message = messages[index];
        if (!message) return null;
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={styles.item}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            <MessageCard message={message} traceId={traceId} />
          </div>
        );
      })}
    </div>
  );
}

function MessageCard({ message, traceId }: { message: MessageView; traceId: string }) {
  const { role, turn, content, reasoning, tool_calls, tool, index } = message;
  const whole = { traceId, index };
  return (
    <article className={`${styles.message} ${styles[role]}`} aria-label={`${NAMES[role]}, message ${index + 1}`}>
      <header className={styles.who}>
        <span>
          {NAMES[role]}
          {tool && ` of ${tool.name}`}
          {tool?.is_error && ' (error)'}
        </span>
        {role === 'assistant' && <span className={styles.turn}>turn {turn}</span>}
      </header>
      {reasoning && (
        <details>
          <summary>Reasoning</summary>
          <AgentText {...reasoning} whole={whole} />
        </details>
      )}
      {content && content.full_length > 0 && <AgentText {...content} whole={whole} />}
      {tool_calls.map((call) => (
        <div key={call.id} className={styles.call}>
          <div>
            calls <code>{call.name}</code>
          </div>
          <AgentText {...call.arguments} whole={whole} isCode />
          {call.error !== null && <p className={styles.callError}>{call.error}</p>}
        </div>
      ))}
    </article>
  );
}
