import { expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

/** The global object of the function that makes functions. */
const NODE = 'new (new Error().constructor.constructor)("return this")';

const HOSTILE: [name: string, code: string, status: string, timeout_seconds?: number][] = [
  ['loops', 'for (;;) {} return true;', 'unscored', 2],
  ['never answers', 'await new Promise(() => {})', 'unscored', 2],
  [
    'loops after its answer',
    'Promise.resolve().then(function f() { return Promise.resolve().then(f); }); return true;',
    'passed',
  ],
  ['takes all memory', 'const a = []; for (;;) a.push(new Array(1e6).fill(a.length)); return 1;', 'unscored'],
  ['recurses without end', '(function f() { return f() + 1; })()', 'unscored'],
  ['prints', 'for (let i = 0; i < 1e5; i += 1) console.log("{}]"); return true;', 'passed'],
  ['looks for Node', `typeof ${NODE}.process === "undefined" && typeof ${NODE}.require === "undefined"`, 'passed'],
  ['pollutes prototypes', 'Object.prototype.then = () => {}; Array.prototype.map = null; return true;', 'passed'],
];

test.each(HOSTILE)(
  'JavaScript that %s harms only its own assertion',
  async (_, code, status, timeout_seconds = 100) => {
    const assertions = [
      { type: 'javascript', code },
      { type: 'output_contains', value: 'Done' },
    ];
    await using project = await projectFixture({
      'salvo.yaml': 'default_adapter: scripted\n',
      's.yaml': sampleScenario({ assertions, timeout_seconds, script: [{ content: 'Done.' }] }),
    });
    const run = await runProgram(['run', 's.yaml', '-n', '2', '--json', '--quiet'], { cwd: project.root });
    const { scenarios } = documentOf(run);
    expect(scenarios[0]?.trials.map((trial) => trial.status)).toEqual([status, status]);
  },
);
