import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { pageFiles } from './page-files.ts';

const PAGE = '<html><head><script type="module" src="/assets/own.js"></script></head><body></body></html>';

test('the files of packages come after those of the viewer, under names that change with their content', async () => {
  const folder = temporaryFolder();
  const file = (name: string) => pathToFileURL(join(folder, name));
  await writeFile(file('index.html'), PAGE);
  await writeFile(file('pages.js'), 'addPages()');
  await writeFile(file('pages.css'), 'b {}');
  const routes = pageFiles(new URL('./', file('index.html')), [{ script: file('pages.js'), style: file('pages.css') }]);
  const html = await (await routes.request('/')).text();
  const [own, script = '', style = ''] = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(own).toBe('/assets/own.js');
  const answer = await routes.request(script);
  expect(await answer.text()).toBe('addPages()');
  expect(answer.headers.get('content-type')).toContain('text/javascript');
  expect(await (await routes.request(style)).text()).toBe('b {}');
  await writeFile(file('pages.js'), 'changed()');
  expect((await routes.request(script)).status).toBe(404);
});

test('a script that was not built is an error that says so', async () => {
  const folder = temporaryFolder();
  const index = pathToFileURL(join(folder, 'index.html'));
  await writeFile(index, PAGE);
  const routes = pageFiles(new URL('./', index), [{ script: new URL('missing.js', index) }]);
  routes.onError((error, context) => context.text(error.message, 500));
  expect(await (await routes.request('/')).text()).toContain('missing.js. Run `npm run build`');
});
