import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { ComparedMessage } from '../compare/compared-message.tsx';
import { useMessages } from '../trial/api.ts';
import styles from './labelled-conversation.module.css';

/** What is to be labelled: the conversation, and nothing about how it was judged. */
export function LabelledConversation({ traceId }: { traceId: string }) {
  const pages = useMessages(traceId);
  const messages = useMemo(() => pages.data?.pages.flatMap((page) => page.messages) ?? [], [pages.data]);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: messages.length,
    estimateSize: () => 96,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => `${traceId} ${index}`,
  });
  return (
    <section aria-label="Conversation">
      {pages.isPending && <p role="status">Loading…</p>}
      <div ref={list} className={styles.messages} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={styles.item}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            <ComparedMessage message={messages[index] ?? null} other={null} side="base" isSame traceId={traceId} />
          </div>
        ))}
      </div>
    </section>
  );
}
