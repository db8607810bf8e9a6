import { describe, expect, it } from 'vitest';
import { toolClaims } from './tool-claims.ts';

const a = { type: 'encryption', resource: 'aws_s3_bucket.a' };
const b = { type: 'logging', resource: 'aws_s3_bucket.b' };
const types = (toolFindings: unknown) => toolClaims(toolFindings).map(({ type }) => type);

describe('toolClaims', () => {
  it('are those of a list, or of a container', () => {
    expect(types([a, b])).toEqual(['encryption', 'logging']);
    expect(types({ findings: [a] })).toEqual(['encryption']);
  });

  it('are those of every tool, each with its own list or report', () => {
    expect(types({ checkov: [a], mine: { findings: [b] }, silent: [] })).toEqual(['encryption', 'logging']);
  });

  it('are none of no tools', () => {
    expect([types([]), types({})]).toEqual([[], []]);
  });

  it('take a report for a report, though all in it are lists', () => {
    expect(types({ results: [] })).toEqual([]);
  });
});
