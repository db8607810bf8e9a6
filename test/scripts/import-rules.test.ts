import { describe, expect, it } from 'vitest';
import { importProblems, type Room } from '../../scripts/import-rules.ts';

const HOUSE: Room[] = [
  { name: 'text', face: 'all' },
  {
    name: 'match',
    face: ['judge-agent', 'claims/claim'],
    rooms: [
      { name: 'claims', face: ['claim'] },
      { name: 'results', face: ['score'] },
      { name: 'agent', face: [], files: 'rest' },
    ],
  },
  { name: 'cli', face: [] },
  { name: 'entries', face: [], files: 'rest' },
];

/** A house in which nothing is wrong. */
const SOUND: Record<string, string> = {
  'index.ts': `export { judge } from './match/judge-agent.ts';`,
  'text/words.ts': '',
  'match/claims/claim.ts': `import { words } from '../../text/words.ts';`,
  'match/claims/severity.ts': `import type { Claim } from './claim.ts';`,
  'match/results/score.ts': `import type { Claim } from '../claims/claim.ts';`,
  'match/judge-agent.ts': `import { score } from './results/score.ts';`,
  'cli/score.ts': `import { judge } from '../match/judge-agent.ts';\nimport type { Claim } from '../match/claims/claim.ts';`,
};

function problemsWith(changed: Record<string, string>): string[] {
  return importProblems(new Map(Object.entries({ ...SOUND, ...changed })), HOUSE);
}

describe('importProblems', () => {
  it('finds nothing wrong with imports that point downwards, through faces', () => {
    expect(problemsWith({})).toEqual([]);
  });

  it('refuses an import upwards, a dynamic one too', () => {
    expect(problemsWith({ 'text/words.ts': `const judge = await import('../match/judge-agent.ts');` })).toContain(
      'text/words.ts: text is below match (match/judge-agent.ts)',
    );
  });

  it('refuses an import past the face of a room', () => {
    expect(problemsWith({ 'cli/game.ts': `import { severity } from '../match/claims/severity.ts';` })).toEqual([
      'cli/game.ts: match/claims/severity.ts is not in the face of match',
    ]);
  });

  it('refuses an import upwards between sub-rooms', () => {
    expect(problemsWith({ 'match/claims/severity.ts': `import { score } from '../results/score.ts';` })).toEqual([
      'match/claims/severity.ts: match/claims is below match/results (match/results/score.ts)',
    ]);
  });

  it('refuses an import past the face of a sub-room', () => {
    expect(problemsWith({ 'match/results/metrics.ts': `import { severity } from '../claims/severity.ts';` })).toEqual([
      'match/results/metrics.ts: match/claims/severity.ts is not in the face of match/claims',
    ]);
  });

  it('refuses a cycle of files, of types too', () => {
    expect(problemsWith({ 'match/claims/claim.ts': `import type { Severity } from './severity.ts';` })).toEqual([
      'cycle: match/claims/claim.ts, match/claims/severity.ts',
    ]);
  });

  it('refuses a file of no room and of no sub-room', () => {
    expect(problemsWith({ 'queue/pool.ts': '', 'match/llm/ask.ts': '' })).toEqual([
      'queue/pool.ts: its room is not in scripts/house.ts',
      'match/llm/ask.ts: its room is not in scripts/house.ts',
    ]);
  });

  it('refuses a name in a face that nothing imports any longer', () => {
    expect(problemsWith({ 'cli/score.ts': `import { judge } from '../match/judge-agent.ts';` })).toEqual([
      'scripts/house.ts: nothing imports claims/claim of match',
    ]);
    expect(problemsWith({ 'match/judge-agent.ts': '' })).toEqual([
      'scripts/house.ts: nothing imports score of match/results',
    ]);
  });

  it('refuses an import of a public entry', () => {
    expect(problemsWith({ 'cli/game.ts': `import { judge } from '../index.ts';` })).toEqual([
      'cli/game.ts: cli is below entries (index.ts)',
    ]);
  });
});
