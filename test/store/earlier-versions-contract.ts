import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runLines } from '../../packages/salvo/src/app/view/runs/run-lines.ts';
import { type CliResult, runCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

/** A store that an earlier version wrote, with what that version said of its runs, newest first. */
export interface EarlierStore extends AsyncDisposable {
  /** What a command needs to find it. */
  env: Record<string, string>;
  runs: { run_id: string; verdict: string; exit_code: number }[];
  experiments: string[];
  /** How a new run is begun that ends without further help. */
  runCommand: string[];
}

/** Every command that reads works on a store of an earlier version. `restore` puts it into a project. */
export function earlierVersionsContract(
  names: readonly string[],
  restore: (name: string, project: ProjectFixture) => Promise<EarlierStore>,
): void {
  describe.each(names)('the store %s', (name) => {
    let project: ProjectFixture;
    let stored: EarlierStore;
    beforeAll(async () => {
      project = await projectFixture({
        'salvo.yaml': 'default_adapter: scripted\n',
        'scenarios/weather.yaml': sampleScenario({ name: 'weather' }),
      });
      stored = await restore(name, project);
    });
    afterAll(async () => {
      await stored?.[Symbol.asyncDispose]();
      await project?.[Symbol.asyncDispose]();
    });

    const salvo = (...words: string[]): Promise<CliResult> => runCli(words, { cwd: project.root, env: stored.env });

    async function expectNotRefused(commands: readonly string[][]): Promise<void> {
      for (const words of commands) {
        const { code, stderr } = await salvo(...words);
        expect([words, code === 4 ? stderr : '']).toEqual([words, '']);
      }
    }

    test('has each run in the history and in the list of the viewer, with the verdict that it got', async () => {
      const { runs } = stored;
      expect(runs).not.toEqual([]);
      const { code, stdout, stderr } = await salvo('report', '--history', '--json');
      expect([code, stderr.includes("can't be read")]).toEqual([0, false]);
      expect(JSON.parse(stdout).runs).toMatchObject(runs);
      expect((await salvo('report', '--history')).code).toBe(0);
      const store = await openProjectStore(await project.project(), { env: stored.env });
      const query = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;
      expect(await runLines(store, query)).toMatchObject({ total: runs.length, unreadable: [] });
      await store.close();
    });

    test('has every run whole: reported, exported and judged again', async () => {
      for (const { run_id, exit_code, verdict } of stored.runs) {
        const reported = await salvo('report', run_id, '--json');
        expect([reported.code, JSON.parse(reported.stdout).verdict]).toEqual([exit_code, verdict]);
      }
      // A run whose trials never ran has none to replay.
      const withTrials = stored.runs.filter(({ verdict }) => verdict !== 'UNSCORED');
      await expectNotRefused(
        withTrials.flatMap(({ run_id }) => [
          ['report', run_id, '--full'],
          ['replay', run_id],
          ['export', run_id],
        ]),
      );
    });

    // It changes the store, so it is last.
    test('can be compared with, planned by, resumed, pruned', async () => {
      const { runs, experiments } = stored;
      await expectNotRefused([
        ['compare', runs[0]?.run_id ?? '', runs.at(-1)?.run_id ?? ''],
        ['plan', 'scenarios/weather.yaml'],
        ['run', '--estimate'],
        ...experiments.map((id) => ['experiment', '--show', id]),
        stored.runCommand,
        ['db', 'prune', '--older-than', '36500d'],
      ]);
    });
  });
}
