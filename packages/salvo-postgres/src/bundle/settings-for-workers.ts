import { loadYaml, type Project, projectSchema } from 'salvo/kit/scenario';
import { isRecord, jsonOrUndefined } from 'salvo/kit/text';

/** Settings of the machine on which a run is started, or of the run itself, which has them in its record. */
const NOT_FOR_WORKERS = new Set([
  'env_file',
  'storage_dir',
  'database_url',
  'database_migrate',
  'matrix',
  'baseline',
  'workers',
]);

/**
 * salvo.yaml as workers get it: as it is written, with `${NAME}` and what it includes, but without adapters that are not
 * in use. JSON is YAML, too.
 */
export function settingsForWorkers(project: Project, adaptersInUse: ReadonlySet<string>): Buffer {
  const { file, root } = project;
  const value = file === null ? {} : loadYaml({ file, projectRoot: root }).root?.value;
  const settings = Object.entries(isRecord(value) ? value : {}).flatMap(([key, part]): [string, unknown][] => {
    if (NOT_FOR_WORKERS.has(key)) return [];
    if (key !== 'adapters' || !isRecord(part)) return [[key, part]];
    return [[key, Object.fromEntries(Object.entries(part).filter(([name]) => adaptersInUse.has(name)))]];
  });
  return Buffer.from(`${JSON.stringify(Object.fromEntries(settings), null, 2)}\n`);
}

/**
 * Why a worker does not read these settings; null if it does. They may come from anybody who can write to the database:
 * `env_file` would read a file of the worker's machine, and `!include`, which JSON does not have, another one.
 */
export function foreignSettingsProblem(content: Uint8Array): string | null {
  const settings = jsonOrUndefined(Buffer.from(content).toString('utf8'));
  if (!isRecord(settings)) return 'its salvo.yaml is not the JSON that Salvo sends';
  const refused = Object.keys(settings).find(
    (key) => NOT_FOR_WORKERS.has(key) || !Object.hasOwn(projectSchema.shape, key),
  );
  return refused === undefined ? null : `its salvo.yaml has ${JSON.stringify(refused)}, which is not for workers`;
}
