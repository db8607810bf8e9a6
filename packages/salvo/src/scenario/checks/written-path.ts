import { statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type AdapterNames, adapterTypeOf } from '../../adapters/adapter-name.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import type { Service } from '../schema/workspace-schema.ts';
import { outsideProblem } from '../yaml/read-source.ts';

/** The file in which the value at a path of a scenario is written: the scenario's own, or one that it includes. */
export type FileAt = (path: Path) => string;

/** A path from one folder to what was written as `name` in a file of another folder. */
export function rebasedPath(name: string, { from, to }: { from: string; to: string }): string {
  return from === to || isAbsolute(name) ? name : relativePath(to, resolve(from, name));
}

function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll(sep, '/');
  return path.startsWith('.') || isAbsolute(path) ? path : `./${path}`;
}

interface WrittenAdapter {
  names: AdapterNames;
  /** The file that names the adapter. */
  file: string;
  projectRoot: string;
}

/** The name of an adapter as the rest of Salvo knows it: the path of a module is relative to the project. */
export function adapterFromFile(name: string, { file, ...rest }: WrittenAdapter): string {
  return projectAdapter(name, { ...rest, folder: dirname(file) });
}

/** The same for a name that was given in a folder, such as on a command line. */
export function projectAdapter(
  name: string,
  { names, folder, projectRoot }: Omit<WrittenAdapter, 'file'> & { folder: string },
): string {
  const isPath = adapterTypeOf(name, names) === 'module' && !names.named.has(name);
  return isPath ? rebasedPath(name, { from: folder, to: projectRoot }) : name;
}

/** Services with their folders relative to the scenario, also if they are written in a file of another folder. */
export function servicesFromFile(services: Service[], { fileAt, file }: { fileAt: FileAt; file: string }): Service[] {
  return services.map((service, index) => {
    const from = dirname(fileAt(['services', index, 'command']));
    if (service.run_in || from === dirname(file)) return service;
    return { ...service, cwd: rebasedPath(service.cwd ?? '.', { from, to: dirname(file) }) };
  });
}

export interface FileReference {
  file: unknown;
  /** `file` is relative to this folder. */
  folder: string;
  /** Where people look for it by mistake. */
  projectRoot?: string | undefined;
  /** It must be inside this folder. Default: it may be anywhere. */
  readRoot?: string | undefined;
  path: Path;
}

/** Reports a named file that does not exist, or that is outside of where it may be. */
export function checkFileExists(report: Report, reference: FileReference): void {
  const { file: given, folder, projectRoot, readRoot, path } = reference;
  if (typeof given !== 'string' || given === '') return;
  const file = given.replaceAll('\0', '');
  const absolute = resolve(folder, file);
  const outside = readRoot === undefined ? null : outsideProblem({ file: absolute, name: file, root: readRoot });
  if (outside) {
    report({ ...outside, path });
    return;
  }
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats?.isFile()) return;
  const inProject = projectRoot === undefined || isAbsolute(file) ? null : resolve(projectRoot, file);
  const hint =
    inProject !== null && statSync(inProject, { throwIfNoEntry: false })?.isFile()
      ? `a path is relative to the file that it is written in: ${relativePath(folder, inProject)}`
      : `looked for at ${absolute}`;
  report({ code: 'missing-file', message: stats ? `${file} is not a file` : `${file} does not exist`, hint, path });
}
