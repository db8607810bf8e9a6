import type { ReactNode } from 'react';
import type { AssertionView } from '../../../../src/app/view/trial/assertion-view.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import type { TracePlace } from '../../../../src/app/view/trial/trace-places.ts';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';
import { formatCount, formatMoney, formatSeconds } from '../../../../src/stats/format.ts';
import { AgentText, type TextMark } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './event-card.module.css';
import { MessageFiles } from './message-files.tsx';
import type { TraceEvent } from './trace-events.ts';

interface EventCardProps {
  id: string;
  event: TraceEvent;
  trace: TraceHead;
  assertions: readonly AssertionView[];
  /** In lower case. */
  search: string;
  isTarget: boolean;
}

export function EventCard({ id, event, isTarget, ...shown }: EventCardProps) {
  const { title, body, turn, isError = false } = contentOf(event, { ...shown, isTarget });
  return (
    <article
      id={id}
      tabIndex={-1}
      className={`${styles.card} ${styles[event.kind]} ${isError ? styles.isError : ''} ${isTarget ? styles.target : ''}`}
      aria-label={[title, turn].filter(Boolean).join(', ')}
    >
      <header className={styles.who}>
        <span>{title}</span>
        {turn !== undefined && <span className={styles.turn}>{turn}</span>}
      </header>
      {body}
    </article>
  );
}

type Shown = Pick<EventCardProps, 'trace' | 'assertions' | 'search' | 'isTarget'>;

function contentOf(
  event: TraceEvent,
  shown: Shown,
): { title: string; turn?: string; body: ReactNode; isError?: boolean } {
  switch (event.kind) {
    case 'system':
      return { title: 'System', body: <MessageText message={event.message} {...shown} /> };
    case 'user':
      return {
        title: event.message.simulated ? 'User (simulated)' : 'User',
        body: <MessageText message={event.message} {...shown} />,
      };
    case 'agent': {
      const { turn } = event;
      return {
        title: turn === 0 ? 'Agent (given by the scenario)' : agentTitle(event.message),
        ...(turn === 0 ? {} : { turn: [`turn ${turn}`, ...figuresOf(event.message)].join(' · ') }),
        body: <AgentMessage message={event.message} {...shown} />,
      };
    }
    case 'tool': {
      const name = event.message?.tool_calls[event.call]?.name ?? event.result?.tool?.name ?? '';
      const isError = event.result?.tool?.is_error ?? false;
      const mark = event.message?.tool_calls[event.call]?.mark;
      return {
        title: `Tool ${visibleText(name)}${isError ? ' (error)' : ''}${mark ? ` · ${mark}` : ''}`,
        ...(event.turn === 0 ? {} : { turn: turnOfCall(event) }),
        body: <ToolCall event={event} {...shown} />,
        isError,
      };
    }
    case 'retry': {
      const { attempt, reason, status, delay_seconds } = event.retry;
      const why = status === null ? reason : `status ${status}: ${reason}`;
      return {
        title: `Retry ${attempt}`,
        turn: `turn ${event.turn}, after ${formatSeconds(delay_seconds)}`,
        body: <AgentText text={why} marks={searchMarks(why, shown.search)} />,
      };
    }
    case 'print':
      return {
        title: 'Printed by the agent',
        body: <AgentText text={event.text} isCode marks={searchMarks(event.text, shown.search)} />,
      };
    case 'error':
      return {
        title: 'The trial ended early',
        isError: true,
        body: (
          <>
            <AgentText text={event.text} marks={searchMarks(event.text, shown.search)} />
            {event.stack !== null && <AgentText text={event.stack} isCode />}
          </>
        ),
      };
  }
}

function agentTitle({ agent }: MessageView): string {
  return agent === null ? 'Agent' : `Agent ${visibleText(agent)}`;
}

/** What the step of an answer took, as far as it is known. */
function figuresOf({ step }: MessageView): string[] {
  if (step === null) return [];
  const { model, latency_seconds, input_tokens, output_tokens, cost_usd } = step;
  const tokens =
    input_tokens === null || output_tokens === null ? null : [input_tokens, output_tokens].map(formatCount);
  return [
    model === null ? null : visibleText(model),
    latency_seconds === null ? null : formatSeconds(latency_seconds),
    tokens && `${tokens[0]} tokens in, ${tokens[1]} out`,
    cost_usd === null ? null : formatMoney(cost_usd),
  ].filter((text) => text !== null);
}

/** An answer without a text has no card of its own: who called and what it took is said at its first call. */
function turnOfCall({ turn, message, call }: TraceEvent & { kind: 'tool' }): string {
  const isFirst =
    message !== null && call === 0 && (message.content?.full_length ?? 0) === 0 && message.reasoning === null;
  const agent = message?.agent == null ? [] : [visibleText(message.agent)];
  return [`turn ${turn}`, ...agent, ...(isFirst ? figuresOf(message) : [])].join(' · ');
}

function AgentMessage({ message, ...shown }: Shown & { message: MessageView }) {
  const { reasoning, index } = message;
  const whole = { traceId: shown.trace.trace_id, index, part: 'reasoning' as const };
  return (
    <>
      {reasoning && (
        <details>
          <summary>Reasoning</summary>
          <AgentText {...reasoning} whole={whole} marks={searchMarks(reasoning.text, shown.search)} />
        </details>
      )}
      <MessageText message={message} {...shown} />
    </>
  );
}

function MessageText({
  message,
  trace,
  assertions,
  search,
  isTarget,
  isCode = false,
}: Shown & { message: MessageView; isCode?: boolean }) {
  const { content, index } = message;
  const files = <MessageFiles message={message} traceId={trace.trace_id} />;
  if (!content || content.full_length === 0) {
    if (message.files.length > 0) return files;
    return message.reasoning ? null : <p className="soft">No text.</p>;
  }
  const marks = [...assertionMarks(assertions, index), ...searchMarks(content.text, search)];
  // A reader who follows a link to a marked text must see it.
  const atLeast = isTarget ? Math.max(0, ...marks.map(({ end }) => end + 200)) : 0;
  return (
    <>
      <AgentText {...content} whole={{ traceId: trace.trace_id, index }} {...{ marks, atLeast, isCode }} />
      {files}
    </>
  );
}

function ToolCall({ event, ...shown }: Shown & { event: TraceEvent & { kind: 'tool' } }) {
  const { message, call, result } = event;
  const made = message?.tool_calls[call];
  const meanings = message === null ? [] : callMeanings(shown.assertions, message.index, call);
  const whole = { traceId: shown.trace.trace_id, index: message?.index ?? 0, part: { call } };
  const isSame = made?.error !== null && made?.error === result?.content?.text;
  return (
    <>
      {meanings.length > 0 && (
        <ul className={styles.meanings} aria-label="Assertions about this call">
          {meanings.map(({ id, name, meaning }) => (
            <li key={id} className={`tone-${TONES[meaning]}`}>
              {WORDS[meaning]}: {visibleText(name)}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.sides}>
        <div>
          <h3 className="soft fine">Arguments</h3>
          {made && isLong(made.arguments.text) && shown.search === '' ? (
            <details>
              <summary>{formatCount(made.arguments.full_length)} characters</summary>
              <AgentText {...made.arguments} whole={whole} isCode />
            </details>
          ) : made ? (
            <AgentText
              {...made.arguments}
              whole={whole}
              isCode
              marks={searchMarks(made.arguments.text, shown.search)}
            />
          ) : (
            <p className="soft">No message has this call.</p>
          )}
        </div>
        <div>
          <h3 className="soft fine">{result?.tool?.is_error ? 'Error' : 'Result'}</h3>
          {result ? <MessageText message={result} isCode {...shown} /> : <p className="soft">No result.</p>}
          {made?.error != null && !isSame && <AgentText text={made.error} />}
        </div>
      </div>
    </>
  );
}

const MOST_LINES = 30;

function isLong(text: string): boolean {
  return text.length > 2000 || text.split('\n', MOST_LINES + 1).length > MOST_LINES;
}

const WORDS: Record<TracePlace['meaning'], string> = {
  found: 'Demanded by',
  forbidden: 'Forbidden by',
  examined: 'Looked at by',
  cited: 'Cited by',
};

const TONES: Record<TracePlace['meaning'], string> = {
  found: 'pass',
  forbidden: 'fail',
  examined: 'unscored',
  cited: 'unscored',
};

function callMeanings(assertions: readonly AssertionView[], message: number, call: number) {
  return assertions.flatMap(({ id, name, places }) =>
    places.flatMap((place) =>
      place.kind === 'call' && place.message === message && place.call === call
        ? [{ id, name, meaning: place.meaning }]
        : [],
    ),
  );
}

function assertionMarks(assertions: readonly AssertionView[], message: number): TextMark[] {
  return assertions.flatMap(({ name, places }) =>
    places.flatMap((place) =>
      place.kind === 'text' && place.message === message
        ? [{ start: place.start, end: place.end, meaning: place.meaning, title: `${WORDS[place.meaning]} ${name}` }]
        : [],
    ),
  );
}

const MOST_MARKS = 200;

function searchMarks(text: string, search: string): TextMark[] {
  const folded = text.toLowerCase();
  // Lower case can be longer than the text it is of. Its positions would be wrong.
  if (search === '' || folded.length !== text.length) return [];
  const marks: TextMark[] = [];
  for (let at = folded.indexOf(search); at >= 0 && marks.length < MOST_MARKS; ) {
    marks.push({ start: at, end: at + search.length, meaning: 'searched' });
    at = folded.indexOf(search, at + search.length);
  }
  return marks;
}
