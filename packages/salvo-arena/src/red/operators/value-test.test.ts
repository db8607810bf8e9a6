import { describe, expect, it } from 'vitest';
import type { Json } from '../../iac/evaluate/value.ts';
import { type Answer, askValue, type ValueTest } from './value-test.ts';

const UNKNOWN = `\${var.x}`;

const CASES: [test: ValueTest, value: Json, answer: Answer][] = [
  [{ is: [false] }, 'False', 'yes'],
  [{ is: [false] }, true, 'no'],
  [{ is: [false] }, UNKNOWN, 'unknown'],
  [{ is: ['0'] }, 0, 'yes'],
  [{ not: ['aurora-mysql'] }, 'postgres', 'yes'],
  [{ not: ['aurora-mysql'] }, UNKNOWN, 'unknown'],
  [{ at_most: 22 }, '22', 'yes'],
  [{ at_least: 22 }, 'all', 'no'],
  [{ at_least: 1, at_most: 364 }, 0, 'no'],
  [{ matches: '^nodejs1' }, 'nodejs14.x', 'yes'],
  [{ matches: 'Admin$' }, ['a', `arn:\${p}:Admin`], 'yes'],
  [{ has: ['0.0.0.0/0'] }, ['10.0.0.0/8', '0.0.0.0/0'], 'yes'],
  [{ has: ['0.0.0.0/0'] }, ['10.0.0.0/8', UNKNOWN], 'unknown'],
  [{ public_cidr: true }, ['10.0.0.0/8', '0.0.0.0/1'], 'yes'],
  [{ public_cidr: true }, '::/0', 'yes'],
  [{ public_cidr: true }, '10.0.0.0/8', 'no'],
  [{ public_cidr: true }, UNKNOWN, 'unknown'],
  [{ lacks: ['audit'] }, ['api'], 'yes'],
  [{ lacks: ['audit'] }, [UNKNOWN], 'unknown'],
  [{ lacks: ['audit'] }, ['api', 'audit'], 'no'],
  [{ plain: true }, 'hunter2', 'yes'],
  [{ plain: true }, '{{resolve:secretsmanager:a:SecretString:b}}', 'no'],
  [{ plain: true }, UNKNOWN, 'unknown'],
  [{}, 'anything', 'no'],
  [{}, UNKNOWN, 'no'],
];

describe('askValue', () => {
  it.each(CASES)('%j of %j: %s', (test, value, answer) => {
    expect(askValue(test, value)).toBe(answer);
  });
});
