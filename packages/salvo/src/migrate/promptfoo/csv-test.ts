import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { readExpectedCell } from '../../scenario/expected/expected-cell.ts';
import { entriesOf, locatedAt, locatedList, locatedMap, textOf } from '../source/located.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A row of a CSV file of tests: columns are variables, and those that begin with `__` say how it is tested. */
export function testOfRow(row: LocatedValue): LocatedValue {
  const vars: [string, LocatedValue][] = [];
  const asserts: Record<string, unknown>[] = [];
  const fields: [string, LocatedValue][] = [];
  const options: [string, LocatedValue][] = [];
  const thresholds = new Map<number, number>();
  let metric: string | undefined;
  for (const [key, cell] of entriesOf(row)) {
    const text = textOf(cell) ?? '';
    const [, index = '1'] = /^__config:__expected(\d*):threshold$/.exec(key) ?? [];
    if (key.startsWith('__expected')) {
      if (text.trim() !== '') asserts.push({ ...readExpectedCell(text) });
    } else if (key === '__prefix' || key === '__suffix') options.push([key.slice(2), cell]);
    else if (key === '__description') fields.push(['description', cell]);
    else if (key === '__metric') metric = text.trim() === '' ? undefined : text;
    else if (key === '__threshold') {
      if (NUMBER.test(text.trim())) fields.push(['threshold', locatedAt(Number(text), cell.span)]);
    } else if (key.startsWith('__config:')) {
      if (NUMBER.test(text.trim())) thresholds.set(Number(index || '1') - 1, Number(text));
    } else if (key === '__providerOutput' && text !== '') fields.push(['providerOutput', cell]);
    else if (!key.startsWith('__')) vars.push([key, cell]);
  }
  const assertions = asserts.map((assertion, index) => ({
    ...assertion,
    ...(metric !== undefined && { metric }),
    ...(thresholds.has(index) && { threshold: thresholds.get(index) }),
  }));
  return locatedMap(
    [
      ...fields,
      ['vars', locatedMap(vars, row.span)],
      ['options', locatedMap(options, row.span)],
      [
        'assert',
        locatedList(
          assertions.map((each) => locatedAt(each, row.span)),
          row.span,
        ),
      ],
    ],
    row.span,
  );
}
