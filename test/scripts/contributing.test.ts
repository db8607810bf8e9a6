import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS } from '../../scripts/rooms.ts';
import { readWalks, unreachedSteps } from './walks.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'packages');
const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const walks = readWalks(guide);

describe('the walks', () => {
  it('are of a run, a score, a game, a page and a job', () => {
    expect(walks.map(({ title }) => title.split(':', 1)[0])).toEqual([
      '`salvo run`',
      '`salvo score`',
      '`salvo game`',
      'A page of the viewer',
      '`salvo worker`',
    ]);
  });

  it.each(walks)('$title: every file exists, and none is visited twice', ({ files }) => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(join(PACKAGES, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it.each(walks)('$title: every step after the first is imported by an earlier one', (walk) => {
    expect(unreachedSteps(walk, PACKAGES)).toEqual([]);
  });

  it('would not accept a step that nothing before it imports', () => {
    const files = ['salvo/src/cli/main.ts', 'salvo/src/cli/run-main.ts', 'salvo/src/cli/start.ts'];
    expect(unreachedSteps({ title: '', files }, PACKAGES)).toEqual(['salvo/src/cli/run-main.ts']);
  });
});

describe.each(Object.entries(ROOMS))('the rooms of %s', (name, rooms) => {
  it('are all in its table, from the top', () => {
    const table = guide.split(`| room of \`${name}\`, from the top |`)[1]?.split('\n\n', 1)[0] ?? '';
    const rows = [...table.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, room]) => room);
    expect(rows).toEqual(rooms.toReversed());
  });
});
