import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { ProblemText, Report } from '../diagnostics/problem.ts';
import type { CopiedFolder } from '../schema/workspace-schema.ts';
import { readSourceTree } from '../workspace/source-tree.ts';
import { outsideProblem } from '../yaml/read-source.ts';
import { checkWorkspaceAssertion, NO_WORKSPACE, ON_WORKSPACES } from './assertion/check-workspace-assertion.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import type { FileChecks, ScenarioChecks } from './scenario-checks.ts';
import { rebasedPath } from './written-path.ts';

type Places = Pick<ScenarioChecks, 'file' | 'fileAt' | 'readRoot'>;

/** Looks at the folder that workspaces are copied from, and at services. */
export function workspaceChecks(places: Places): FileChecks {
  const folders = new Map<string, CopiedFolder>();
  const folderAt = (path: Path) => dirname(places.fileAt?.(path) ?? places.file);

  function checkFolder(report: Report, workspace: unknown): void {
    const options = typeof workspace === 'string' ? { folder: workspace } : workspace;
    if (!isRecord(options) || typeof options.folder !== 'string') return;
    const path = typeof workspace === 'string' ? ['workspace'] : ['workspace', 'folder'];
    const written = options.folder;
    const from = folderAt(path);
    const absolute = resolve(from, written.replaceAll('\0', ''));
    const [exclude, link] = [textsOf(options.exclude), textsOf(options.link)];
    const found = readFolder({ absolute, written, exclude, link, readRoot: places.readRoot });
    if ('code' in found) {
      report({ ...found, path });
      return;
    }
    for (const [index, linked] of link.entries()) {
      const isGlob = /[*?]/.test(linked);
      if (isGlob || statSync(resolve(absolute, linked), { throwIfNoEntry: false })) continue;
      const message = `${linked} does not exist in ${written}, so there is nothing to link`;
      report({ severity: 'warning', code: 'missing-file', message, path: ['workspace', 'link', index] });
    }
    const fromScenario = rebasedPath(written, { from, to: dirname(places.file) });
    folders.set(written, { ...found, ...(fromScenario === written ? {} : { path: fromScenario }) });
  }

  return {
    check(report, { workspace, services, assertions }) {
      checkFolder(report, workspace);
      for (const [index, assertion] of (Array.isArray(assertions) ? assertions : []).entries()) {
        if (!isRecord(assertion) || !ON_WORKSPACES.test(String(assertion.type))) continue;
        const path = ['assertions', index];
        checkWorkspaceAssertion(report, { assertion, hasWorkspace: workspace !== undefined, path });
      }
      if (!Array.isArray(services)) return;
      const names = new Set<unknown>();
      for (const [index, service] of services.entries()) {
        if (!isRecord(service)) continue;
        const at = ['services', index];
        reportCode(report, codeRefusal('the command of a service'), [...at, 'command']);
        if (names.has(service.name)) {
          const message = `there are two services named "${service.name}"`;
          report({ code: 'duplicate-name', message, path: [...at, 'name'] });
        }
        names.add(service.name);
        if (service.run_in === 'workspace') {
          if (workspace === undefined) report({ ...NO_WORKSPACE, path: [...at, 'run_in'] });
        } else checkCwd(report, service.cwd, { from: folderAt([...at, 'cwd']), path: [...at, 'cwd'] });
      }
    },
    found: () => (folders.size === 0 ? {} : { folders: Object.fromEntries(folders) }),
  };
}

function checkCwd(report: Report, cwd: unknown, { from, path }: { from: string; path: Path }): void {
  if (typeof cwd !== 'string' || cwd === '') return;
  const folder = resolve(from, cwd.replaceAll('\0', ''));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  report({ code: 'missing-file', message: `${cwd} is not a folder`, hint: `looked for at ${folder}`, path });
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

function readFolder(of: {
  absolute: string;
  written: string;
  exclude: string[];
  link: string[];
  readRoot: string;
}): CopiedFolder | ProblemText {
  const { absolute, written, exclude, link, readRoot } = of;
  const outside = outsideProblem({ file: absolute, name: written, root: readRoot });
  if (outside) return outside;
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    const message = stats ? `${written} is not a folder` : `the folder ${written} does not exist`;
    return { code: 'missing-file', message, hint: `looked for at ${absolute}` };
  }
  try {
    const tree = readSourceTree({ root: absolute, exclude, link });
    return 'code' in tree ? tree : { sha256: tree.sha256, files: tree.files.size, bytes: tree.bytes };
  } catch (error) {
    return { code: 'unreadable-file', message: `${written} cannot be read: ${errorMessage(error)}` };
  }
}
