import { expect, test } from 'vitest';
import { firstAnswer } from './first-answer.ts';

const STARTING = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
const WRONG_PASSWORD = Object.assign(new Error('password authentication failed'), { code: '28P01' });

/** A database that fails with these errors first. */
function database(...errors: Error[]) {
  const said: string[] = [];
  const ask = async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'answer';
  };
  const patience = (seconds: number, signal?: AbortSignal) => ({
    place: 'db:5432/evals',
    patience: { seconds, outageSeconds: seconds, signal, onWaiting: (message: string) => said.push(message) },
  });
  return { ask, patience, said };
}

test('a database that is starting is waited for, and the user is told once', async () => {
  const { ask, patience, said } = database(STARTING, STARTING);
  expect(await firstAnswer(ask, patience(60))).toBe('answer');
  expect(said).toEqual([
    "The database db:5432/evals can't be reached yet (the database system is starting up). Waiting for it for up to 60 s; `salvo ... --wait SECONDS` changes this.",
  ]);
});

test('without patience, and with a patience of 0 s, it is an error at once', async () => {
  const { ask, patience, said } = database(STARTING, STARTING);
  await expect(firstAnswer(ask, { place: 'db' })).rejects.toBe(STARTING);
  await expect(firstAnswer(ask, patience(0))).rejects.toBe(STARTING);
  expect(said).toEqual([]);
});

test('what waiting does not change is an error at once', async () => {
  const { ask, patience, said } = database(WRONG_PASSWORD);
  await expect(firstAnswer(ask, patience(60))).rejects.toBe(WRONG_PASSWORD);
  expect(said).toEqual([]);
});

test('the patience ends, by itself or by the user', async () => {
  const endless = async () => {
    throw STARTING;
  };
  const { patience, said } = database();
  await expect(firstAnswer(endless, patience(0.1))).rejects.toBe(STARTING);
  const user = new AbortController();
  const waiting = firstAnswer(endless, patience(600, user.signal));
  await expect.poll(() => said.length).toBe(2);
  user.abort();
  await expect(waiting).rejects.toBe(STARTING);
});
