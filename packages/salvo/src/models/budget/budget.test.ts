import { expect, test } from 'vitest';
import { budgetContract } from '../../../../../test/limits/budget-contract.ts';
import { expectLimitKept } from '../../../../../test/limits/simulated-work.ts';
import { createVirtualTime } from '../../../../../test/limits/virtual-time.ts';
import { createBudget } from './create-budget.ts';

budgetContract('in this process', async (limitUsd, earlier) => createBudget(limitUsd, earlier));

test('no limit lets everything through, and does not ask what a call costs', async () => {
  const budget = createBudget(null);
  const describe = () => Promise.reject(new Error('asked'));
  for (let number = 0; number < 3; number += 1) (await budget.admit(describe)).paid(null);
  expect(budget.refusal).toBeNull();
});

test('a budget of this process is exceeded by no more than one call: any prices, kinds, failures and concurrency', async () => {
  await expectLimitKept(
    (limitUsd) => {
      const budget = createBudget(limitUsd);
      const kept = Object.assign(budget, { kill: () => {}, [Symbol.asyncDispose]: async () => {} });
      return { time: createVirtualTime(), join: () => kept };
    },
    { processes: 1, numRuns: 500 },
  );
});
