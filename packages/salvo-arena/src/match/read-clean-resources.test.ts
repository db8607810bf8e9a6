import { describe, expect, it } from 'vitest';
import { JudgeError } from './claims/judge-error.ts';
import { readCleanResources } from './read-clean-resources.ts';

describe('the list of clean resources', () => {
  it.each([
    ['a JSON list', '["aws_s3_bucket.a", "aws_sqs_queue.b"]'],
    ['a list of objects', '[{"resource": "aws_s3_bucket.a"}, {"resource": "aws_sqs_queue.b"}]'],
    ['a container', '{"clean_resources": ["aws_s3_bucket.a", "aws_sqs_queue.b"]}'],
    ['a line each, with comments', '\ufeff# twins\naws_s3_bucket.a\r\n\n  aws_sqs_queue.b\n'],
  ])('can be %s', (_, text) => {
    expect(readCleanResources(text)).toEqual(['aws_s3_bucket.a', 'aws_sqs_queue.b']);
  });

  it('can be empty', () => {
    expect(readCleanResources('')).toEqual([]);
  });

  it.each(['{"a": 1}', '[1]', '[null]', '[{"resource": 7}]', '[', '""', '{"resources": {"__proto__": 1}}'])(
    'is refused with what to give instead: %s',
    (text) => {
      expect(() => readCleanResources(text, { name: 'clean.json' })).toThrow(JudgeError);
      expect(() => readCleanResources(text, { name: 'clean.json' })).toThrow(/^clean\.json: .* Give a JSON list/);
    },
  );
});
