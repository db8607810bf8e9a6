import { createMemo, type Memo, type Place, type Work } from './evaluate.ts';
import { type InstanceKey, instanceKeys } from './instance-keys.ts';
import { localFolder, type ModuleBlock, type TerraformModule } from './terraform-module.ts';

/** An instance of a Terraform folder: a root, or a call of it by a `module` block, with its inputs. */
export interface ModuleInstance {
  module: TerraformModule;
  /** `module.logs["eu"].`, or empty for a root. */
  prefix: string;
  /** The call of this instance; null for a root. */
  call: { from: ModuleInstance; block: ModuleBlock; key: InstanceKey } | null;
  /** The instances that its `module` blocks call, by name. */
  children: Map<string, ModuleInstance[]>;
  work: Work;
  once: Memo;
}

const MAX_DEPTH = 10;
const MOST_INSTANCES = 500;

/** All roots and the modules that they call. A folder that calls itself is followed only a few times. */
export function moduleInstances(
  modules: ReadonlyMap<string, TerraformModule>,
  work: Work,
  placeIn: (instance: ModuleInstance) => Place,
): ModuleInstance[] {
  const instances: ModuleInstance[] = [];
  const add = (
    module: TerraformModule,
    prefix: string,
    call: ModuleInstance['call'],
    depth: number,
  ): ModuleInstance => {
    const instance: ModuleInstance = { module, prefix, call, children: new Map(), work, once: createMemo(work) };
    instances.push(instance);
    for (const [name, { block, folder }] of callsOf(module)) {
      const target = modules.get(folder);
      if (!target || depth >= MAX_DEPTH) continue;
      for (const key of instanceKeys(block.attributes, placeIn(instance))) {
        if (instances.length >= MOST_INSTANCES) return instance;
        const inner = `${prefix}${keyedPath(`module.${name}`, key.key)}.`;
        const child = add(target, inner, { from: instance, block, key }, depth + 1);
        instance.children.set(name, [...(instance.children.get(name) ?? []), child]);
      }
    }
    return instance;
  };
  for (const root of rootsOf(modules)) add(root, '', null, 0);
  return instances;
}

export function keyedPath(path: string, key: InstanceKey['key']): string {
  return key === null ? path : `${path}[${JSON.stringify(key)}]`;
}

function rootsOf(modules: ReadonlyMap<string, TerraformModule>): TerraformModule[] {
  const called = new Set<string>();
  for (const module of modules.values()) {
    for (const { folder } of callsOf(module).values()) if (folder !== module.folder) called.add(folder);
  }
  const roots = [...modules.values()].filter(({ folder }) => !called.has(folder));
  return roots.length > 0 ? roots : [...modules.values()];
}

function callsOf(module: TerraformModule): Map<string, { block: ModuleBlock; folder: string }> {
  const calls = new Map<string, { block: ModuleBlock; folder: string }>();
  for (const block of module.blocks.values()) {
    const [name] = block.block.labels;
    const source = block.attributes.get('source')?.it.value;
    if (block.block.type !== 'module' || name === undefined || source?.kind !== 'literal') continue;
    const folder = localFolder(module.folder, String(source.value));
    if (folder !== null) calls.set(name, { block, folder });
  }
  return calls;
}
