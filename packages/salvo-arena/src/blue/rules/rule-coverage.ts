import { compareNames } from 'salvo/kit/text';
import { otherLanguage } from '../../code/other-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import type { NotCovered } from '../blue-team.ts';

/**
 * How much of the code is of a language and a cloud that the rules are about: how many resources, modules and providers
 * are of AWS; and, sorted by name, what the rules cannot look at.
 */
export function ruleCoverage(files: Readonly<Record<string, string>>, sources: readonly SourceFile[]) {
  const places: (Pick<NotCovered, 'what' | 'kind'> & { file: string })[] = [];
  let covered = 0;
  for (const { file, blocks } of sources) {
    for (const block of blocks) {
      const cloud = cloudOf(block);
      if (cloud === 'aws') covered += 1;
      else if (cloud !== null)
        places.push({ what: cloud, kind: block.type === 'module' ? 'module' : 'provider', file });
    }
  }
  const read = new Set(sources.map(({ file }) => file));
  for (const [file, text] of Object.entries(files)) {
    const language = read.has(file) ? null : otherLanguage(file, text);
    if (language !== null) places.push({ what: language, kind: 'language', file });
  }
  const groups = Map.groupBy(places, ({ what, kind }) => `${kind} ${what}`).values();
  const notCovered = [...groups].flatMap((group): NotCovered[] => {
    const [first] = group;
    if (!first) return [];
    const { what, kind } = first;
    return [{ what, kind, count: group.length, files: [...new Set(group.map(({ file }) => file))].sort(compareNames) }];
  });
  return { covered, notCovered: notCovered.sort((a, b) => compareNames(a.what, b.what)) };
}

/** Providers of values, not of infrastructure. */
const NEUTRAL: ReadonlySet<string> = new Set(
  'archive assert cloudinit external http local null random template terraform time tls'.split(' '),
);

/** `aws`, the provider or module that is not covered, or null for a block that is of no cloud. */
function cloudOf({ type, labels, attributes }: Block): string | null {
  const [label = ''] = labels;
  if (type === 'module') {
    const source = attributes.find(({ name }) => name === 'source')?.value;
    return moduleCloud(source?.kind === 'literal' && typeof source.value === 'string' ? source.value : '');
  }
  if (type !== 'resource' && type !== 'provider') return null;
  if (label.includes('::')) return resourceTypeCloud(label);
  const provider = label.split('_', 1)[0] ?? '';
  return provider === '' || NEUTRAL.has(provider) ? null : provider;
}

/** `AWS::S3::Bucket` is AWS; `Custom::X` may be anything, and is code of the user. */
function resourceTypeCloud(type: string): string | null {
  const [vendor = ''] = type.split('::', 1);
  return vendor === 'Custom' ? null : vendor.toLowerCase();
}

/** Local modules are part of the code. A module of the registry has its provider at the end of its address. */
function moduleCloud(source: string): string | null {
  if (source === '' || /^\.{0,2}\//.test(source)) return null;
  const [, provider] =
    /^(?:[\w.-]{1,100}\/)?[\w-]{1,100}\/[\w-]{1,100}\/([a-z0-9]{1,60})(?:\/\/.*)?$/.exec(source) ?? [];
  if (provider === 'aws' || isRegistryRepository(source)) return 'aws';
  return provider ?? `module ${source.slice(0, 100)}`;
}

/** `git::https://github.com/terraform-aws-modules/terraform-aws-vpc.git?ref=v5.0.0`: the rules know its inputs. */
function isRegistryRepository(source: string): boolean {
  return /\bterraform-aws-modules\/terraform-aws-[a-z0-9-]{1,100}/.test(source);
}
