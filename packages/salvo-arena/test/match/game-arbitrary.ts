import fc from 'fast-check';

const word = fc.constantFrom('bucket', 'encryption', 'public', 'logging', 'policy', 'open', 'kms', 'ingress', 'secret');
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const fields = {
  type: fc.constantFrom('encryption', 'access_control', 'iam', 'network', 'logging', 'other', ''),
  resource: fc.constantFrom('aws_s3_bucket.a', 'aws_s3_bucket.b', 'a', 'aws_iam_role.r', 'module.m.aws_s3_bucket.a[0]'),
  severity: fc.constantFrom('low', 'HIGH', 'critical', null),
  description: text,
};

/** A manifest's vulnerabilities, some of them equal. */
export const vulnerabilitiesArbitrary = fc.array(
  fc.record({ ...fields, difficulty: fc.constantFrom('easy', 'hard', null) }),
  { maxLength: 7 },
);

export const findingsArbitrary = fc.array(fc.record(fields), { maxLength: 7 });

/** The same list in another order. */
export function shuffled<T>(list: readonly T[], keys: readonly number[]): T[] {
  return list
    .map((value, index) => ({ value, key: keys[index % Math.max(1, keys.length)] ?? 0, index }))
    .sort((a, b) => a.key - b.key || b.index - a.index)
    .map(({ value }) => value);
}
