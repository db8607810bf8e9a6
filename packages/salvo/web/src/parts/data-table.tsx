import type { ReactNode } from 'react';
import styles from './data-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';

/** The name of a column. Numbers are aligned at their right end, as in a `NumberCell`. */
export type Column = string | { number: string };

/** A table with one row of heads, which scrolls by itself where the screen is narrow. The children are its bodies. */
export function DataTable({
  name,
  columns,
  className = '',
  children,
}: {
  name: string;
  columns: readonly Column[];
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <ScrollRegion name={name}>
      <table className={`${styles.table} ${className}`}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className={styles.number}>
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        {children}
      </table>
    </ScrollRegion>
  );
}

export function NumberCell({ children }: { children: ReactNode }) {
  return <td className={styles.number}>{children}</td>;
}
