import { expect, test, vi } from 'vitest';
import { sampleBlue } from '../../test/arena/sample-teams.ts';
import { withRememberedLooks } from './remembered-looks.ts';

test('the same code is looked at once, other code again', async () => {
  const analyze = vi.fn(sampleBlue().analyze);
  const blue = withRememberedLooks({ name: 'x', analyze });
  const first = await blue.analyze({ files: { 'a.tf': 'one' } });
  expect(await blue.analyze({ files: { 'a.tf': 'one' }, seed: 2 })).toBe(first);
  await blue.analyze({ files: { 'a.tf': 'two' } });
  expect(analyze).toHaveBeenCalledTimes(2);
});

test('a look that failed is repeated, and old ones are forgotten', async () => {
  const analyze = vi.fn(sampleBlue().analyze).mockRejectedValueOnce(new Error('it hangs'));
  const blue = withRememberedLooks({ name: 'x', analyze });
  await expect(blue.analyze({ files: {} })).rejects.toThrow('it hangs');
  await blue.analyze({ files: {} });
  for (let index = 0; index < 50; index += 1) await blue.analyze({ files: { 'a.tf': String(index) } });
  await blue.analyze({ files: {} });
  expect(analyze).toHaveBeenCalledTimes(53);
});
