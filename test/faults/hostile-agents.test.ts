import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { documentOf, runProgram, startCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { isAlive } from '../is-alive.ts';
import { projectFixture } from '../project-fixture.ts';

const SECONDS = 1000;

function agentFiles(code: string, timeout_seconds: number) {
  return {
    'agent.mjs': `import fs from 'node:fs';\nimport child from 'node:child_process';\nexport default async (task) => { ${code} }`,
    's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined, timeout_seconds }),
  };
}

const HOSTILE: [name: string, code: string, status: string, exit: number, timeout_seconds?: number][] = [
  ['loops without yielding', 'for (;;);', 'unscored', 3, 5],
  ['never answers', 'await new Promise(() => {})', 'unscored', 3, 5],
  ['exits with 0', 'process.exit(0)', 'crashed', 1],
  ['exits later', 'setTimeout(() => process.exit(0), 20); await new Promise(() => {})', 'crashed', 1],
  ['kills itself', 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})', 'crashed', 1],
  ['leaves the channel', 'process.disconnect(); await new Promise(() => {})', 'crashed', 1],
  ['throws in a timer', 'setTimeout(() => { throw new Error("x") }); await new Promise(() => {})', 'crashed', 1],
  ['writes to the file handle of standard output', 'fs.writeSync(1, "{}]"); return "Done."', 'passed', 0],
  ['lets a child print', 'child.execSync("echo {}]", { stdio: "inherit" }); return "Done."', 'passed', 0],
  ['prints 100 MB', 'for (let i = 0; i < 1e5; i += 1) console.log("x".repeat(1000)); return "Done."', 'passed', 0],
  ['answers with 60 MB', 'return "Done.".repeat(12e6)', 'unscored', 3],
  ['answers a question of its own', 'process.send({ type: "reply", id: 99, reply: 7 }); return "Done."', 'passed', 0],
];

test.each(HOSTILE)(
  'an agent that %s harms only its own trial, and --json is one document',
  async (_, code, status, exit, timeout_seconds = 100) => {
    await using project = await projectFixture(agentFiles(code, timeout_seconds));
    const run = await runProgram(['run', 's.yaml', '-n', '2', '--json', '--quiet', '--retries', '0'], {
      cwd: project.root,
    });
    const { scenarios } = documentOf(run);
    expect(scenarios[0]?.trials.map((trial) => trial.status)).toEqual([status, status]);
    expect(run.code).toBe(exit);
  },
);

test('an agent that loops is ended when the user gives up, and leaves no process', async () => {
  await using project = await projectFixture(
    agentFiles('fs.writeFileSync("pid", String(process.pid)); for (;;);', 600),
  );
  const { child, result, untilStderrHas } = startCli(['run', 's.yaml', '-n', '1'], { cwd: project.root });
  await vi.waitFor(() => expect(readFileSync(project.path('pid'), 'utf8')).not.toBe(''), 60 * SECONDS);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  child.kill('SIGINT');
  expect((await result).code).toBe(3);
  const pid = Number(readFileSync(project.path('pid'), 'utf8'));
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 30 * SECONDS);
});
