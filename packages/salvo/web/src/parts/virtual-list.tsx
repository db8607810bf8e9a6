import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
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

/** How far below the top of the page an element is, also after something above it has changed its height. */
function usePageOffset(element: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setOffset(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return offset;
}
