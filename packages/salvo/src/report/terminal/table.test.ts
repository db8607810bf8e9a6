import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth, safeLine } from '../../text/output/safe-text.ts';
import { createStyle } from './look.ts';
import { type Column, renderTable } from './table.ts';

const columns: readonly Column<'name' | 'count' | 'note'>[] = [
  { key: 'name', header: 'Name', priority: 3, min: 6 },
  { key: 'count', header: 'Count', align: 'right', priority: 2 },
  { key: 'note', header: 'Note', priority: 1 },
];
const rows = [
  { name: { text: 'refund' }, count: { text: '7' }, note: { text: 'fine' } },
  { name: { text: '返金シナリオ' }, count: { text: '1,200' }, note: { text: '' } },
];
const style = createStyle(false);

describe('renderTable', () => {
  test('aligns by display width, numbers to the right', () => {
    expect(renderTable({ columns, rows, width: 80, style }).lines).toEqual([
      'Name          Count  Note',
      'refund            7  fine',
      '返金シナリオ  1,200',
    ]);
  });

  test('wraps what may be wrapped before it leaves a column out', () => {
    const { lines, shown } = renderTable({ columns, rows, width: 20, style });
    expect(shown).toEqual(['name', 'count', 'note']);
    expect(lines).toEqual(['Name     Count  Note', 'refund       7  fine', '返金シ   1,200', 'ナリオ']);
  });

  test('breaks a long name at its own parts, and knows which lines belong to which row', () => {
    const named = [{ name: { text: 'ignores-orders-from-an-order' }, count: { text: '7' } }, { name: { text: 'x' } }];
    const { header, rows: blocks } = renderTable({ columns, rows: named, width: 20, style });
    expect(header).toEqual(['Name           Count']);
    expect(blocks).toEqual([['ignores-           7', 'orders-from-', 'an-order'], ['x']]);
  });

  test('leaves out the column of the lowest priority first', () => {
    expect(renderTable({ columns, rows, width: 15, style }).shown).toEqual(['name', 'count']);
    expect(renderTable({ columns, rows, width: 8, style }).shown).toEqual(['name']);
  });

  test('leaves out a column that has no text', () => {
    const bare = rows.map(({ name, count }) => ({ name, count }));
    expect(renderTable({ columns, rows: bare, width: 80, style }).shown).toEqual(['name', 'count']);
    expect(renderTable({ columns, rows: [], width: 80, style })).toMatchObject({ lines: [], shown: [] });
  });

  test('paint does not change the width of a cell', () => {
    const painted = [{ name: { text: 'x', paint: (text: string) => `<${text}>` }, count: { text: '1' } }];
    expect(renderTable({ columns, rows: painted, width: 80, style }).lines).toEqual(['Name  Count', '<x>         1']);
  });

  test('is never wider than it may be, and no text of a column that is shown is lost', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((cell) => ({ text: safeLine(cell) }));
    const anyRow = fc.record({ name: text, count: text, note: text });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 6 }), fc.integer({ min: 1, max: 100 }), (anyRows, width) => {
        const { lines, rows: blocks, shown } = renderTable({ columns, rows: anyRows, width, style });
        // Without any text there is no column, and so no line.
        fc.pre(lines.length > 0);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(blocks).toHaveLength(anyRows.length);
        const letters = (texts: readonly string[]) => [...texts.join('').replaceAll(/\s/g, '')].sort().join('');
        for (const [index, row] of anyRows.entries()) {
          // A character takes at most four columns or so: in a wider cell none is left out.
          if (width >= 12) expect(letters(blocks[index] ?? [])).toBe(letters(shown.map((key) => row[key].text)));
        }
      }),
    );
  });
});
