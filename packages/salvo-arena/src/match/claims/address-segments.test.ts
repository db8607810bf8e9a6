import { describe, expect, it } from 'vitest';
import { addressSegments } from './address-segments.ts';

describe('the segments of an address', () => {
  it('are split at dots outside brackets, each with its index', () => {
    expect(addressSegments('module.m["a.b"].aws_x[data].acl')).toEqual([
      { text: 'module', index: null },
      { text: 'm', index: '"a.b"' },
      { text: 'aws_x', index: 'data' },
      { text: 'acl', index: null },
    ]);
  });

  it('leave out empty parts', () => {
    expect(addressSegments('.a..[0].b.')).toEqual([
      { text: 'a', index: null },
      { text: 'b', index: null },
    ]);
  });

  it('read an index that is never closed to the end', () => {
    expect(addressSegments('a[0.b')).toEqual([{ text: 'a', index: '0.b' }]);
    expect(addressSegments('a].b')).toEqual([
      { text: 'a]', index: null },
      { text: 'b', index: null },
    ]);
  });
});
