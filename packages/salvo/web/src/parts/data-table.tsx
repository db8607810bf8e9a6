import type { Key, ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.tsx';

/** The name of a column. Numbers are aligned at their right end, as in a `NumberCell`. */
type Column = string | { number: string };

interface DataTableProps {
  name: string;
  columns: readonly Column[];
  className?: string | undefined;
  children: ReactNode;
}

/** A table with one row of heads, which scrolls by itself where the screen is narrow. The children are its bodies. */
export function DataTable({ name, columns, className = '', children }: DataTableProps) {
  return (
    <ScrollRegion name={name}>
      <table className={`named-rows ${className}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={nameOf(column)} scope="col" className={isNumber(column) ? 'number' : undefined}>
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </ScrollRegion>
  );
}

interface RowTableProps<Row> extends Omit<DataTableProps, 'columns' | 'children'> {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** The heads, each with what a row has below it. `head`: it names the row. */
  columns: readonly [head: Column, cell: (row: Row) => ReactNode, look?: 'head' | ((row: Row) => string | undefined)][];
}

/** A table with a row for each of some things. */
export function RowTable<Row>({ rows, keyOf, columns, ...frame }: RowTableProps<Row>) {
  return (
    <DataTable {...frame} columns={columns.map(([head]) => head)}>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(([head, cell, look]) => {
              const key = nameOf(head);
              if (look !== 'head') {
                const className = isNumber(head) ? 'number' : look?.(row);
                return (
                  <td key={key} className={className}>
                    {cell(row)}
                  </td>
                );
              }
              return (
                <th key={key} scope="row">
                  {cell(row)}
                </th>
              );
            })}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** A section of a page that is such a table, with its name above it and the children below it. */
export function TableSection<Row>({ children, ...table }: RowTableProps<Row> & { children?: ReactNode }) {
  return (
    <section>
      <h2 className="heading">{table.name}</h2>
      <RowTable {...table} />
      {children}
    </section>
  );
}

export function NumberCell({ children }: { children: ReactNode }) {
  return <td className="number">{children}</td>;
}

function nameOf(column: Column): string {
  return typeof column === 'string' ? column : column.number;
}

function isNumber(column: Column): boolean {
  return typeof column !== 'string';
}
