import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { loadProject } from '../../../salvo/src/scenario/load-project.ts';
import { projectFiles } from './project-files.ts';

afterEach(() => vi.unstubAllEnvs());

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@a.example'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
}

async function pathsOf(fixture: ProjectFixture, folder = ''): Promise<string[]> {
  const project = await loadProject(fixture.path(folder));
  return [...(await projectFiles(project))].map((file) => relative(project.root, file)).sort();
}

const FILES = {
  'salvo.yaml': 'storage_dir: results\n',
  '.gitignore': 'dist/\n*.log\n!keep.log\n/only-here.txt\n',
  'agent.ts': '',
  'agent.log': '',
  'keep.log': '',
  'only-here.txt': '',
  'dist/agent.js': '',
  'dist/agent.js.map': '',
  'lib/.gitignore': '*.txt\n!b.txt\n',
  'lib/a.txt': '',
  'lib/b.txt': '',
  'lib/deeper/only-here.txt': '',
  'other/only-here.txt': '',
  '.hidden/x': '',
  '.env': '',
  'config/.env.production': '',
  '.npmrc': '',
  'node_modules/a/index.js': '',
  'results/old.json': '',
};
const SEEN = [
  '.gitignore',
  '.hidden/x',
  'agent.ts',
  'keep.log',
  'lib/.gitignore',
  'lib/b.txt',
  'other/only-here.txt',
  'salvo.yaml',
];

describe.each(['in a repository', 'without one'])('the files of a project %s', (where) => {
  async function fixtureOf(files: Record<string, string>): Promise<ProjectFixture> {
    const fixture = await projectFixture(files);
    if (where === 'in a repository') git(fixture.root, 'init', '-q');
    return fixture;
  }

  it('are those that git would track, without files for credentials, packages and results', async () => {
    await using fixture = await fixtureOf(FILES);
    expect(await pathsOf(fixture)).toEqual(SEEN);
  });

  it('are more with workers.files, and fewer with workers.exclude', async () => {
    await using fixture = await fixtureOf({
      ...FILES,
      'salvo.yaml': 'storage_dir: results\nworkers: { files: ["dist/**", .env], exclude: ["*.map", /lib] }\n',
    });
    await expect(pathsOf(fixture)).rejects.toThrow('".env", which matches no file that may travel');
    await fixture.write(
      'salvo.yaml',
      'storage_dir: results\nworkers: { files: ["dist/**"], exclude: ["*.map", /lib] }\n',
    );
    const expected = [...SEEN, 'dist/agent.js'].filter((path) => !path.startsWith('lib')).sort();
    expect(await pathsOf(fixture)).toEqual(expected);
  });

  it('include no link that leads out of the project', async () => {
    await using outside = await projectFixture({ 'hosts.txt': 'x' });
    await using fixture = await fixtureOf({ 'salvo.yaml': '', 'a.txt': 'a' });
    await symlink(outside.path('hosts.txt'), fixture.path('out.txt'));
    await symlink(outside.root, fixture.path('folder'));
    await symlink(fixture.path('a.txt'), fixture.path('in.txt'));
    await symlink(fixture.path('gone.txt'), fixture.path('broken.txt'));
    expect(await pathsOf(fixture)).toEqual(['a.txt', 'in.txt', 'salvo.yaml']);
  });
});

describe('a repository', () => {
  it('has files that are tracked although they are ignored, and none that was deleted', async () => {
    await using fixture = await projectFixture(FILES);
    git(fixture.root, 'init', '-q');
    git(fixture.root, 'add', '-f', 'dist/agent.js', 'agent.ts', '.env');
    await rm(fixture.path('agent.ts'));
    const expected = [...SEEN, 'dist/agent.js'].filter((path) => path !== 'agent.ts').sort();
    expect(await pathsOf(fixture)).toEqual(expected);
  });

  it.each(['with', 'without'])(
    'may begin above the project, whose files alone count, %s a program git',
    async (how) => {
      await using fixture = await projectFixture({
        '.gitignore': '*.log\n',
        'other.txt': '',
        'evals/salvo.yaml': '',
        'evals/a.log': '',
        'evals/ä b.txt': '',
      });
      git(fixture.root, 'init', '-q');
      if (how === 'without') vi.stubEnv('PATH', '');
      expect(await pathsOf(fixture, 'evals')).toEqual(['salvo.yaml', 'ä b.txt']);
    },
  );

  it('that ignores the whole project does not count', async () => {
    await using fixture = await projectFixture({ '.gitignore': 'tmp/\n', 'tmp/salvo.yaml': '', 'tmp/a.txt': '' });
    git(fixture.root, 'init', '-q');
    expect(await pathsOf(fixture, 'tmp')).toEqual(['a.txt', 'salvo.yaml']);
  });

  it('may have another one in it', async () => {
    await using fixture = await projectFixture({
      'salvo.yaml': '',
      'part/.gitignore': '*.log\n',
      'part/a.txt': '',
      'part/a.log': '',
    });
    git(fixture.root, 'init', '-q');
    git(fixture.path('part'), 'init', '-q');
    git(fixture.path('part'), 'add', '.');
    git(fixture.path('part'), 'commit', '-q', '-m', 'a');
    expect(await pathsOf(fixture)).toEqual(['part/.gitignore', 'part/a.txt', 'salvo.yaml']);
  });

  it('has no way to let git execute a program', async () => {
    await using fixture = await projectFixture({ 'salvo.yaml': '' });
    git(fixture.root, 'init', '-q');
    git(fixture.root, 'config', 'core.fsmonitor', `touch ${fixture.path('executed')}; false`);
    expect(await pathsOf(fixture)).toEqual(['salvo.yaml']);
  });
});
