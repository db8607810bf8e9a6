import { expect, test } from 'vitest';
import { projectFromObject } from '../../scenario/scenario-object.ts';
import { type CandidateOptions, runCandidates } from './candidates.ts';

const place = {
  project: projectFromObject({ adapters: { local: { type: 'openai' } } }, '/project'),
  cwd: '/project/agents',
};
const candidates = (options: CandidateOptions) => runCandidates(options, place);

test.each<[CandidateOptions, object[]]>([
  [{}, [{}]],
  [{ model: 'a' }, [{ model: 'a' }]],
  [{ models: ['a', 'local=b'] }, [{ model: 'a' }, { adapter: 'local', model: 'b' }]],
  [
    { models: ['a', 'local=b'], adapter: 'openai' },
    [
      { adapter: 'openai', model: 'a' },
      { adapter: 'local', model: 'b' },
    ],
  ],
  [{ models: ['org/a:7b'] }, [{ model: 'org/a:7b' }]],
  [{ adapters: ['local', './x.ts'] }, [{ adapter: 'local' }, { adapter: './agents/x.ts' }]],
  [
    { adapters: ['../x.ts', '/y.ts', 'exec:python x.py'] },
    [{ adapter: './x.ts' }, { adapter: '/y.ts' }, { adapter: 'exec:python x.py' }],
  ],
  [
    { adapters: ['local', 'openai'], models: ['a', 'b'] },
    ['local a', 'local b', 'openai a', 'openai b'].map((pair) => {
      const [adapter, model] = pair.split(' ');
      return { adapter, model };
    }),
  ],
])('%j are the candidates %j', (options, expected) => {
  expect(candidates(options)).toEqual(expected);
});

test.each<[CandidateOptions, string]>([
  [{ model: 'a', models: ['b'] }, '`model` is for one and `models` for several'],
  [{ adapter: 'a', adapters: ['b'] }, '`adapter` is for one and `adapters` for several'],
  [{ models: ['a', 'b', 'a'] }, 'The model a is named twice'],
  [{ adapters: ['./x.ts', '../agents/x.ts'] }, 'The adapter ./agents/x.ts is named twice'],
  [{ models: ['local=a', 'local=a'] }, 'The model a with the adapter local is named twice'],
  [{ models: ['local=a'], adapters: ['openai'] }, '"local=a" names its adapter already'],
  [{ models: [] }, '`models` has an empty name'],
  [{ adapters: [''] }, '`adapters` has an empty name'],
])('%j is refused', (options, message) => {
  expect(() => candidates(options)).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) }),
  );
});
