import { expect, test } from 'vitest';
import { sampleClaim } from '../../../../test/match/sample-claim.ts';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { createLocatedList } from './located-list.ts';
import { type Place, placeOf } from './place.ts';

function at(...resources: string[]): Place {
  return placeOf(loadLexicon(), sampleClaim({ resources }));
}

function visited(place: Place): number[] {
  const list = createLocatedList(loadLexicon());
  const places = [
    at('aws_s3_bucket.a'),
    at('aws_s3_bucket.b'),
    at('aws_s3_bucket_acl.x'),
    at(),
    at('aws_s3_bucket.b', 'aws_s3_bucket.c'),
    at('a'),
    at('aws_cloudtrail.a'),
  ];
  for (const [finding, where] of places.entries()) list.add(finding, where);
  const found: number[] = [];
  list.visit(place, (finding) => found.push(finding));
  return found.toSorted((a, b) => a - b);
}

test('findings of other resources of the same type, and of types that have nothing to do with it, are left out', () => {
  expect(visited(at('aws_s3_bucket.a'))).toEqual([0, 2, 3, 4, 5]);
});

test('everything is visited from an unknown place', () => {
  expect(visited(at())).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(visited(at('aws_s3_bucket.a', 'aws_s3_bucket.b'))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(visited(at('a'))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
