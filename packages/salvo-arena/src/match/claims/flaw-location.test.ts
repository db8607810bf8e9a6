import { expect, it } from 'vitest';
import { canonicalVulnerability } from './canonical-entries.ts';
import { readLocations } from './flaw-location.ts';

it('reads what a manifest lists, and keeps it in the manifest', () => {
  const locations = [{ kind: 'related', resource: 'aws_iam_role.a', file: 'iam.tf', line: 3, end_line: 9 }];
  expect(readLocations(locations)).toEqual(locations);
  expect(canonicalVulnerability({ id: 'v1', locations }, 0)).toEqual({ id: 'v1', locations });
});

it('accepts a resource without a file, and lines as texts', () => {
  expect(readLocations([{ resource: 'var.a' }, { file: './main.tf:3-5', kind: 'nonsense' }])).toEqual([
    { kind: 'definition', resource: 'var.a', file: null, line: null, end_line: null },
    { kind: 'definition', resource: null, file: 'main.tf', line: 3, end_line: 5 },
  ]);
});

it.each([[null], ['main.tf'], [{}], [[]], [[1, null, 'x', [], {}]], [[{ file: {}, line: 'x', resource: [[]] }]]])(
  'finds none in %j',
  (value) => {
    expect(readLocations(value)).toEqual([]);
    expect(canonicalVulnerability({ id: 'v1', locations: value }, 0)).toEqual({ id: 'v1' });
  },
);

it('reads no more than any flaw has', () => {
  expect(readLocations(Array.from({ length: 5000 }, () => ({ resource: 'var.a' })))).toHaveLength(100);
});
