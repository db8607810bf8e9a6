import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { whereHref } from '../../../../src/app/view/page-hrefs.ts';
import type { AssertionView } from '../../../../src/app/view/trial/assertion-view.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';
import { useVirtualList, VirtualList } from '../../parts/virtual-list.tsx';
import { useTypedAddress } from '../../use-typed-address.ts';
import styles from './conversation.module.css';
import { EventCard } from './event-card.tsx';
import { EVENT_KINDS, type EventKind, eventAt, type TraceEvent, textsOf, traceEvents } from './trace-events.ts';

const NAMES: Record<EventKind, string> = {
  system: 'System',
  user: 'User',
  agent: 'Agent',
  tool: 'Tools',
  retry: 'Retries',
  print: 'Printed',
  error: 'Errors',
};

interface ConversationProps {
  trace: TraceHead;
  /** The first ones, while the others are on the way. */
  messages: readonly MessageView[];
  assertions: readonly AssertionView[];
  /** What the page is to show: a message, or a call in it. */
  place: string | null;
}

/** What is searched for, as the address says it. */
export interface ConversationSearch {
  text: string;
  /** The address with another text. */
  hrefOf: (text: string) => string;
}

/** The address of a conversation with a search in it. `address` is without one. */
export function searchIn(address: string, text: string | undefined): ConversationSearch {
  return {
    text: text ?? '',
    hrefOf: (next) => whereHref(address, encodeURIComponent(next)),
  };
}

/** The conversation as it went. Only what is on the screen is in the page. */
export function Conversation({
  trace,
  messages,
  assertions,
  place,
  search: searched,
  problem,
}: ConversationProps & {
  search: ConversationSearch;
  /** Why messages are missing. */
  problem: string | null;
}) {
  const [hidden, setHidden] = useState<ReadonlySet<EventKind>>(new Set());
  const [search, setSearch] = useTypedAddress(searched.text, searched.hrefOf);
  const all = useMemo(() => traceEvents(messages, trace), [messages, trace]);
  const wanted = search.toLowerCase();
  const events = useMemo(
    () =>
      all.filter(
        (event) =>
          !hidden.has(event.kind) &&
          (wanted === '' || textsOf(event).some((text) => text.toLowerCase().includes(wanted))),
      ),
    [all, hidden, wanted],
  );
  useEffect(() => {
    // What somebody wants to see must not stay hidden. A link to it has no search.
    if (place !== null) setHidden(new Set());
  }, [place]);
  const toggle = (kind: EventKind) =>
    setHidden((now) => (now.has(kind) ? new Set([...now].filter((each) => each !== kind)) : new Set([...now, kind])));
  const kinds = EVENT_KINDS.filter((kind) => all.some((event) => event.kind === kind));
  return (
    <section aria-labelledby="conversation">
      <div className={styles.head}>
        <h2 id="conversation">Conversation</h2>
        <span className="soft small" role="status">
          {messages.length < trace.message_count && problem === null
            ? 'Loading…'
            : events.length === all.length
              ? `${all.length} events`
              : `${events.length} of ${all.length} events`}
        </span>
        <fieldset className={styles.kinds}>
          <legend className="visually-hidden">What is shown</legend>
          {kinds.map((kind) => (
            <label key={kind}>
              <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} /> {NAMES[kind]}
            </label>
          ))}
        </fieldset>
        <input
          type="search"
          className={styles.search}
          placeholder="Search the conversation"
          aria-label="Search the conversation"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      <Events {...{ events, trace, assertions, place, search: wanted }} />
    </section>
  );
}

function Events({
  events,
  trace,
  assertions,
  place,
  search,
}: Omit<ConversationProps, 'messages'> & { events: TraceEvent[]; search: string }) {
  const list = useVirtualList({
    count: events.length,
    height: 96,
    keyOf: (index) => events[index]?.key ?? index,
  });
  const target = place === null ? -1 : eventAt(events, place);
  const targetKey = events[target]?.key;
  const scrollTo = useEffectEvent((index: number) => list.virtual.scrollToIndex(index, { align: 'center' }));
  useEffect(() => {
    if (targetKey === undefined) return;
    scrollTo(target);
    // Its card is in the page only after the scroll. The focus tells a screen reader where the reader is now.
    const frame = requestAnimationFrame(() =>
      document.getElementById(cardId(targetKey))?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [target, targetKey]);
  return (
    <VirtualList of={list}>
      {(index) => {
        const event = events[index];
        if (!event) return null;
        return (
          <EventCard id={cardId(event.key)} isTarget={index === target} {...{ event, trace, assertions, search }} />
        );
      }}
    </VirtualList>
  );
}

function cardId(key: string): string {
  return `event-${key}`;
}
