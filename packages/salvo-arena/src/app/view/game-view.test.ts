import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../../salvo/src/store/sqlite/sqlite-store.ts';
import {
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  sampleSheet,
} from '../../../test/arena-experiment/sample-experiment.ts';
import { codeHash } from '../../game/game-sheet.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { gameCode, gameView } from './game-view.ts';

const { files } = sampleOutcome();

async function storeWith({ code, hash }: { code: boolean; hash: string }) {
  const store = await openSqliteStore({ file: ':memory:' });
  await experimentsOf(store).saveExperiment(sampleExperiment({ salvo_version: '0.0.7' }));
  await experimentsOf(store).saveGame(sampleGame({ game_id: 'g1', red: 'llm:m' }), sampleSheet({ code_hash: hash }));
  if (code) await experimentsOf(store).saveCode('exp-1', 'code-1', sampleOutcome());
  return store;
}

it.each([
  ['was stored', { code: true, hash: codeHash(files) }, null],
  ['is not stored', { code: false, hash: codeHash(files) }, 'looks like a secret'],
  ['is another than the one that was played on', { code: true, hash: 'other' }, 'played with Salvo 0.0.7'],
])('code that %s', async (_, stored, missing) => {
  const store = await storeWith(stored);
  const code = await gameCode(store, 'exp-1', 'g1');
  expect(code.missing ?? '').toContain(missing ?? '');
  expect(code.files.map(({ name }) => name)).toEqual(missing === null ? Object.keys(files) : []);
  await store.close();
});

it('a game without a sheet has its figures, and neither findings nor code', async () => {
  const store = await openSqliteStore({ file: ':memory:' });
  await experimentsOf(store).saveExperiment(sampleExperiment());
  await experimentsOf(store).saveGame(sampleGame({ game_id: 'g1' }));
  const { match, scores, verdict } = await gameView(store, 'exp-1', 'g1');
  expect({ match, recall: scores?.recall, winner: verdict?.winner }).toEqual({
    match: null,
    recall: 0.5,
    winner: 'draw',
  });
  expect((await gameCode(store, 'exp-1', 'g1')).missing).toContain('not recorded');
  await store.close();
});
