import { describe, expect, it } from 'vitest';
import { isThorough } from '../../../../test/thorough.ts';
import { checkManifest } from '../../src/gate/check-manifest.ts';
import { createRulesChecker } from '../../src/gate/create-rules-checker.ts';
import { createMutationRed } from '../../src/red/mutation/create-mutation-red.ts';
import { allTasks } from '../../src/tasks/tasks.ts';

const tasks = allTasks()
  .filter((_, index) => index % 7 === 0)
  .slice(0, isThorough() ? 10 : 4);

describe.each(['terraform', 'cloudformation'] as const)('what mutation plants in %s', (language) => {
  it.each(['easy', 'medium', 'hard'] as const)('is confirmed by the gate: %s', async (difficulty) => {
    const red = createMutationRed();
    let claimed = 0;
    for (const [seed, { id: task }] of tasks.entries()) {
      const size = isThorough() ? undefined : 16;
      const made = await red.generate({
        task,
        difficulty,
        language,
        provider: 'aws',
        seed,
        strategy: 'balanced',
        size,
      });
      const { files, vulnerabilities } = made;
      const checker = await createRulesChecker(files);
      const { entries } = await checkManifest({ files, vulnerabilities, checker, proven: made.metadata.proven });
      claimed += entries.length;
      const others = entries.filter(({ status }) => status !== 'confirmed');
      expect(
        others.map(({ vulnerability, checks }) => [
          task,
          seed,
          vulnerability,
          checks.filter(({ outcome }) => outcome === 'failed'),
        ]),
      ).toEqual([]);
    }
    expect(claimed).toBeGreaterThanOrEqual(2 * tasks.length);
  });

  it('is false of the twin, and the gate refutes nearly all of it', async () => {
    const red = createMutationRed();
    const statuses: string[] = [];
    for (const [seed, { id: task }] of tasks.entries()) {
      const { vulnerabilities, metadata } = await red.generate({
        task,
        difficulty: 'easy',
        language,
        provider: 'aws',
        seed,
        strategy: 'balanced',
        size: isThorough() ? undefined : 16,
      });
      const { entries } = await checkManifest({ files: metadata.twin ?? {}, vulnerabilities });
      statuses.push(...entries.map(({ status }) => status));
    }
    const phantoms = statuses.filter((status) => status === 'phantom').length;
    expect(phantoms / statuses.length).toBeGreaterThan(0.6);
  });
});
