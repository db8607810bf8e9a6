import { useEffect, useEffectEvent, useMemo } from 'react';
import type { TracePairView } from '../../../../src/app/view/compare/trace-pair-view.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import { useVirtualList, VirtualList } from '../../parts/virtual-list.tsx';
import { useKey } from '../../use-key.ts';
import { useMessages } from '../trial/api.ts';
import styles from './aligned-messages.module.css';
import { ComparedMessage } from './compared-message.tsx';

/** Row by row, the first difference marked and in view. Only what is on the screen is in the page. */
export function AlignedMessages({ view }: { view: TracePairView }) {
  const { rows, first_difference: first } = view;
  const base = useLoaded(view.base.trace_id);
  const next = useLoaded(view.next.trace_id);
  const list = useVirtualList({ count: rows.length, height: 120 });
  const toFirst = () => {
    if (first !== null) list.virtual.scrollToIndex(first, { align: 'start' });
  };
  const isThere = first !== null && has(base, rows[first]?.base) && has(next, rows[first]?.next);
  const go = useEffectEvent(toFirst);
  useEffect(() => {
    if (isThere && first > 1) go();
  }, [isThere, first]);
  useKey('d', toFirst);
  return (
    <section aria-label="Messages side by side">
      {first !== null && (
        <button type="button" className={styles.jump} aria-keyshortcuts="d" onClick={toFirst}>
          To the first difference <kbd>d</kbd>
        </button>
      )}
      <VirtualList of={list}>
        {(index) => {
          const row = rows[index];
          if (!row) return null;
          const a = row.base === null ? null : (base.get(row.base) ?? 'loading');
          const b = row.next === null ? null : (next.get(row.next) ?? 'loading');
          return (
            <>
              {index === first && (
                <p className={styles.first} id="first-difference">
                  First difference
                </p>
              )}
              <div className={`${styles.row} ${row.same ? styles.same : styles.differs}`}>
                <ComparedMessage message={a} other={b} side="base" isSame={row.same} traceId={view.base.trace_id} />
                <ComparedMessage message={b} other={a} side="next" isSame={row.same} traceId={view.next.trace_id} />
              </div>
            </>
          );
        }}
      </VirtualList>
    </section>
  );
}

function useLoaded(traceId: string): ReadonlyMap<number, MessageView> {
  const { messages } = useMessages(traceId);
  return useMemo(() => new Map(messages.map((message) => [message.index, message])), [messages]);
}

function has(messages: ReadonlyMap<number, MessageView>, index: number | null | undefined): boolean {
  return index === null || index === undefined || messages.has(index);
}
