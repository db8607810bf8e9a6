import { describe, expect, test } from 'vitest';
import { sampleRun } from '../../../../../test/sample-run.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { RunRecord } from '../record/run-record.ts';
import { scenariosForReeval } from './scenarios-for-reeval.ts';

function sourceOf(...names: string[]): RunRecord {
  const run = sampleRun();
  const [entry] = run.scenarios;
  if (!entry) throw new Error('the sample has no scenario');
  return { ...run, scenarios: names.map((name) => ({ ...entry, name, file: `${name}.yaml` })) };
}

function loadedFrom(file: string, name = file.replace('.yaml', '')): LoadedScenario {
  const [entry] = sampleRun().scenarios;
  if (!entry) throw new Error('the sample has no scenario');
  return { scenario: { ...entry.scenario, name }, file: `/${file}`, relativeFile: file, hash: 'now', warnings: [] };
}

async function choose(options: { names: string[]; only?: number; given?: LoadedScenario }) {
  const chosen = await scenariosForReeval({
    source: sourceOf(...options.names),
    only: options.only,
    given: options.given ?? null,
    load: async ({ file }) => loadedFrom(file),
  });
  return [...chosen].map(([index, { relativeFile }]) => [index, relativeFile]);
}

describe('a run is judged again', () => {
  test('by each scenario as its own file is now', async () => {
    expect(await choose({ names: ['a', 'b'] })).toEqual([
      [0, 'a.yaml'],
      [1, 'b.yaml'],
    ]);
  });

  test('only in the scenario of the trace that was asked for', async () => {
    expect(await choose({ names: ['a', 'b'], only: 1 })).toEqual([[1, 'b.yaml']]);
    expect(await choose({ names: ['a', 'b'], only: 1, given: loadedFrom('x.yaml') })).toEqual([[1, 'x.yaml']]);
  });

  test('by a given scenario where its name or its file is the same', async () => {
    expect(await choose({ names: ['a', 'b'], given: loadedFrom('strict.yaml', 'b') })).toEqual([[1, 'strict.yaml']]);
    expect(await choose({ names: ['a', 'b'], given: loadedFrom('a.yaml', 'renamed') })).toEqual([[0, 'a.yaml']]);
  });

  test('by any given scenario when the run has only one', async () => {
    expect(await choose({ names: ['a'], given: loadedFrom('x.yaml') })).toEqual([[0, 'x.yaml']]);
  });

  test('not by a scenario that the run does not have', async () => {
    await expect(choose({ names: ['a', 'b'], given: loadedFrom('x.yaml') })).rejects.toMatchObject({
      code: 'SCENARIO_UNKNOWN',
      message: expect.stringContaining('It has: a, b.'),
    });
  });
});
