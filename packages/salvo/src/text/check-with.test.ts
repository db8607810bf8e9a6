import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkWith } from './check-with.ts';

test('the first value of a schema is checked like the hundredth', () => {
  const schema = z.strictObject({ name: z.string(), count: z.int().default(3) });
  for (let round = 0; round < 100; round += 1) {
    expect(checkWith(schema, { name: 'a' })).toEqual({ success: true, data: { name: 'a', count: 3 } });
    expect(checkWith(schema, { name: 'a', other: 1 }).error?.issues).toMatchObject([{ code: 'unrecognized_keys' }]);
  }
});
