import { expect, test } from 'vitest';
import { viewResult } from '../app/view/viewed-project.ts';
import type { ViewerDoor } from '../app/view/viewer-door.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { viewerApi } from './viewer-app.ts';

const door: ViewerDoor = {
  pages: { script: new URL('file:///pages.js') },
  addRoutes: (api, _, need) => {
    api.get('/tallies', () => {
      throw new SalvoError('RUN_UNKNOWN', 'There is no such tally.');
    });
    api.get('/project', (context) => context.text('taken over'));
    api.post('/tallies', need('run'), (context) => context.json({ done: true }));
  },
};

const viewed = viewResult({
  name: 'tally.json',
  page: { name: 'Tally', href: '/tally' },
  addRoutes: (api) => void api.get('/tally', (context) => context.json({ count: 3 })),
});

test('routes of a package answer errors as the others do, ask for rights, and replace none', async () => {
  const api = viewerApi(viewed, { rights: [], doors: [door] });
  const failed = await api.request('/tallies');
  expect([failed.status, await failed.json()]).toEqual([404, { error: 'There is no such tally.' }]);
  expect((await api.request('/tallies', { method: 'POST' })).status).toBe(403);
  const allowed = viewerApi(viewed, { rights: ['run'], doors: [door] });
  expect(await (await allowed.request('/tallies', { method: 'POST' })).json()).toEqual({ done: true });
  expect(await (await api.request('/project')).json()).toMatchObject({ name: 'tally.json' });
});

test('the result of one command has its own page and routes, and nothing else', async () => {
  const api = viewerApi(viewed, { rights: [] });
  expect(await (await api.request('/tally')).json()).toEqual({ count: 3 });
  expect(await (await api.request('/project')).json()).toMatchObject({ contents: [{ name: 'Tally', href: '/tally' }] });
  const unknown = await api.request('/experiments');
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'There is no such resource.' }]);
});
