import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { TracePairView } from '../../../../src/app/view/compare/trace-pair-view.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import { useKey } from '../../use-key.ts';
import { useMessages } from '../trial/api.ts';
import styles from './aligned-messages.module.css';
import { ComparedMessage } from './compared-message.tsx';

/** Row by row, the first difference marked and in view. Only what is on the screen is in the page. */
export function AlignedMessages({ view }: { view: TracePairView }) {
  const { rows, first_difference: first } = view;
  const base = useLoaded(view.base.trace_id);
  const next = useLoaded(view.next.trace_id);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 120,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const toFirst = () => {
    if (first !== null) virtual.scrollToIndex(first, { align: 'start' });
  };
  const isThere = first !== null && has(base, rows[first]?.base) && has(next, rows[first]?.next);
  const go = useRef(toFirst);
  go.current = toFirst;
  useEffect(() => {
    if (isThere && first > 1) go.current();
  }, [isThere, first]);
  useKey('d', toFirst);
  return (
    <section aria-label="Messages side by side">
      {first !== null && (
        <button type="button" className={styles.jump} aria-keyshortcuts="d" onClick={toFirst}>
          To the first difference <kbd>d</kbd>
        </button>
      )}
      <div ref={list} className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          const a = row.base === null ? null : (base.get(row.base) ?? 'loading');
          const b = row.next === null ? null : (next.get(row.next) ?? 'loading');
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            >
              {index === first && (
                <p className={styles.first} id="first-difference">
                  First difference
                </p>
              )}
              <div className={`${styles.row} ${row.same ? styles.same : styles.differs}`}>
                <ComparedMessage message={a} other={b} side="base" isSame={row.same} traceId={view.base.trace_id} />
                <ComparedMessage message={b} other={a} side="next" isSame={row.same} traceId={view.next.trace_id} />
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}

function useLoaded(traceId: string): ReadonlyMap<number, MessageView> {
  const pages = useMessages(traceId);
  return useMemo(
    () => new Map(pages.data?.pages.flatMap(({ messages }) => messages.map((message) => [message.index, message]))),
    [pages.data],
  );
}

function has(messages: ReadonlyMap<number, MessageView>, index: number | null | undefined): boolean {
  return index === null || index === undefined || messages.has(index);
}
