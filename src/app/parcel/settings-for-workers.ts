import type { Project } from '../../scenario/schema/project-schema.ts';
import { loadYaml } from '../../scenario/yaml/load-yaml.ts';
import { isRecord } from '../../text/json/is-record.ts';

/** Settings of the machine on which a run is started, or of the run itself, which has them in its record. */
const NOT_FOR_WORKERS = [
  'env_file',
  'storage_dir',
  'database_url',
  'database_migrate',
  'matrix',
  'baseline',
  'workers',
];

/**
 * salvo.yaml as workers get it: as it is written, with `${NAME}` and what it includes, but without adapters that are not
 * in use. JSON is YAML, too.
 */
export function settingsForWorkers(project: Project, adaptersInUse: ReadonlySet<string>): Buffer {
  const { file, root } = project;
  const value = file === null ? {} : loadYaml({ file, projectRoot: root }).root?.value;
  const settings = Object.entries(isRecord(value) ? value : {}).flatMap(([key, part]): [string, unknown][] => {
    if (NOT_FOR_WORKERS.includes(key)) return [];
    if (key !== 'adapters' || !isRecord(part)) return [[key, part]];
    return [[key, Object.fromEntries(Object.entries(part).filter(([name]) => adaptersInUse.has(name)))]];
  });
  return Buffer.from(`${JSON.stringify(Object.fromEntries(settings), null, 2)}\n`);
}
