import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { parseFilter } from './filter-expression.ts';

const NAMES = ['verdict', 'model', 'cost', 'pass_rate', 'duration', 'date'];
const RUN = {
  verdict: ['HARD_FAIL', 'HARD FAIL'],
  model: ['gpt-4o-mini', 'claude'],
  cost: 0.2,
  pass_rate: null,
  duration: 300,
  date: '2026-11-15T10:30:00.000Z',
};

it.each([
  ['', true],
  ['verdict = hard_fail', true],
  ['verdict=hard_fail and model ~ gpt and cost > 0.1', true],
  ['verdict = hard_fail model ~ gpt', true],
  ['verdict = pass or cost >= $0.2', true],
  ['verdict = pass or cost > 20%', false],
  ['not verdict = hard_fail', false],
  ['not (verdict = pass or cost < 0.1)', true],
  ['model = claude', true],
  ['model = gpt', false],
  ['model !~ llama and model != "gpt 5"', true],
  ['cost = 0.2', true],
  ['cost > .1', true],
  ['verdict = "hard fail"', true],
  ['verdict != pass', true],
  ['verdict ~ fail', true],
  ['duration >= 5min and duration < 0.1h', true],
  ['duration > 300s', false],
  ['date >= 2026-11-15', true],
  ['date <= 2026-11-15', true],
  ['date > 2026-11-15', false],
  ['date < 2026-11-15T11', true],
  ['date ~ 2026-11', true],
  ['pass_rate > 0', false],
  ['pass_rate < 1', false],
  ['MINI', true],
  ['"gpt-4o"', true],
  ['llama', false],
])('%s', (text, fits) => {
  expect(parseFilter(text, NAMES)(RUN)).toBe(fits);
});

it.each([
  ['price > 1', '"price" at 1 is no field. The fields: verdict, model, cost, pass_rate, duration, date.'],
  ['cost > much', '"much" at 8 is no number.'],
  ['cost >', 'A value is missing after ">".'],
  ['(cost > 1', 'The parenthesis at 1 is not closed.'],
  ['cost > 1)', '")" at 9 is not expected.'],
  ['model = "a', 'The quotation mark at 9 is not closed.'],
  ['verdict = hard_fail and', 'Something is missing at the end of the filter.'],
  ['= 1', '"=" at 1 is not expected.'],
  ['('.repeat(60), 'The filter has more than 50 parentheses inside each other.'],
  ['not '.repeat(60), 'The filter has more than 50 parentheses inside each other.'],
  ['a'.repeat(1001), 'The filter has more than 1000 characters.'],
])('%s is wrong', (text, message) => {
  expect(() => parseFilter(text, NAMES)).toThrow(message);
});

test('any text is a filter or a clear error', () => {
  const part = fc.constantFrom('verdict', 'cost', '=', '>', '(', ')', 'and', 'or', 'not', '"', '1', 'x', '~', '!');
  const texts = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(typeof parseFilter(text, NAMES)(RUN)).toBe('boolean');
      } catch (error) {
        expect(error).toBeInstanceOf(SalvoError);
      }
    }),
  );
});
