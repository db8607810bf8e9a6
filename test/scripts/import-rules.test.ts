import { describe, expect, it } from 'vitest';
import { importProblems, unusedKitNames } from '../../scripts/import-rules.ts';

const ROOMS = { core: ['text', 'match', 'cli'], more: ['store'] };

/** Packages in which nothing is wrong. */
const SOUND: Record<string, string> = {
  'packages/core/src/index.ts': `export { judge } from './match/judge-agent.ts';`,
  'packages/core/src/text/words.ts': '',
  'packages/core/src/match/claims/claim.ts': `import { words } from '../../text/words.ts';`,
  'packages/core/src/match/judge-agent.ts': `import type { Claim } from './claims/claim.ts';`,
  'packages/core/src/cli/score.ts': `import { judge } from '../match/judge-agent.ts';`,
  'packages/more/src/store/open.ts': `import { words } from 'core/text';`,
};

function problemsWith(changed: Record<string, string>): string[] {
  return importProblems(new Map(Object.entries({ ...SOUND, ...changed })), ROOMS);
}

describe('importProblems', () => {
  it('finds nothing wrong with imports that point downwards', () => {
    expect(problemsWith({})).toEqual([]);
  });

  it('refuses an import upwards, a dynamic one too', () => {
    const words = `const judge = await import('../match/judge-agent.ts');`;
    expect(problemsWith({ 'packages/core/src/text/words.ts': words })).toContain(
      'packages/core/src/text/words.ts: text is below match (packages/core/src/match/judge-agent.ts)',
    );
  });

  it('refuses an import of an entry', () => {
    const score = `import { judge } from '../index.ts';`;
    expect(problemsWith({ 'packages/core/src/cli/score.ts': score })).toEqual([
      'packages/core/src/cli/score.ts: cli is below the entries (packages/core/src/index.ts)',
    ]);
  });

  it('refuses an import that leaves its package past its exports', () => {
    const open = `import { words } from '../../../core/src/text/words.ts';`;
    expect(problemsWith({ 'packages/more/src/store/open.ts': open })).toEqual([
      'packages/more/src/store/open.ts: packages/core/src/text/words.ts is in another package',
    ]);
  });

  it('refuses a cycle of files, of types too', () => {
    const claim = `import type { Agent } from '../judge-agent.ts';`;
    expect(problemsWith({ 'packages/core/src/match/claims/claim.ts': claim })).toEqual([
      'cycle: packages/core/src/match/claims/claim.ts, packages/core/src/match/judge-agent.ts',
    ]);
  });

  it('asks for the room of every file', () => {
    expect(problemsWith({ 'packages/more/src/attic/box.ts': '' })).toEqual([
      'packages/more/src/attic/box.ts: its room is not in scripts/rooms.ts',
    ]);
  });
});

it('a name of a kit must be imported by a package, or be named in the guide', () => {
  const files = new Map([
    [
      'packages/salvo/src/kit/text.ts',
      "export { a, b as c, type D } from '../text/a.ts';\nexport { e, f, g } from '../text/e.ts';",
    ],
    ['packages/other/src/x.ts', "import { a, type D as Own } from 'salvo/kit/text';"],
    [
      'packages/other/src/y.ts',
      "const { c: own } = await import('salvo/kit/text');\n(await import('salvo/kit/text')).e();",
    ],
  ]);
  expect(unusedKitNames(files, 'Call `f`.')).toEqual(['packages/salvo/src/kit/text.ts: no package imports g']);
});
