import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { usePageOffset } from '../use-page-offset.ts';
import styles from './virtual-list.module.css';

/** A long list in the page. Only what is on the screen is in the document. */
export function useVirtualList(options: {
  count: number;
  /** Of an item that was not measured yet, in pixels. */
  height: number;
  keyOf?: ((index: number) => string | number) | undefined;
}) {
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: options.count,
    estimateSize: () => options.height,
    overscan: 6,
    scrollMargin: usePageOffset(list),
    ...(options.keyOf && { getItemKey: options.keyOf }),
  });
  return { list, virtual };
}

export function VirtualList({
  of: { list, virtual },
  children,
}: {
  of: ReturnType<typeof useVirtualList>;
  children: (index: number) => ReactNode;
}) {
  return (
    <div ref={list} className={styles.list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start, key }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className={styles.item}
          style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          {children(index)}
        </div>
      ))}
    </div>
  );
}
