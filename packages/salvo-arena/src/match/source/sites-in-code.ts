import { memoByKey, once, remembered } from 'salvo/kit/text';
import { namesInCode, referencesByAddress, scopeOfNames } from '../../iac/read/references.ts';
import type { CodeBlock } from '../../iac/syntax/code-block.ts';
import type { FlawLocation } from '../claims/flaw-location.ts';
import { parseAddress, sameAddress } from '../claims/resource-address.ts';
import { concernedResources } from './concerned-resources.ts';
import type { SourceCode } from './source-code.ts';

/** Where a flaw of some resources may be reported: at them, and at what they take their values from. */
export type FindSites = (resources: readonly string[]) => FlawLocation[];

/**
 * A flaw of a resource may be written in a variable, a local, a mapping, a policy document or the call of its module, and
 * then a report may point there. If the flaw is said to be in one of these, or in a resource that only holds settings of
 * others, a report may name a resource that uses it.
 */
export function siteFinder(code: SourceCode): FindSites {
  const definitions = Map.groupBy(code.blocks.filter(isDefinition), keyOf);
  const lines = memoByKey((file) => (code.files[file] ?? '').split('\n'));
  const behind = new Map<CodeBlock, CodeBlock[]>();
  const references = once(() => referencesByAddress(code.project));

  /** The definitions that the code of a block names. Those of a module also come from where it is called. */
  function namedBy(block: CodeBlock): CodeBlock[] {
    return remembered(behind, block, () => {
      const text = lines(block.file)
        .slice(block.line - 1, block.end_line)
        .join('\n');
      const names = namesInCode(block.language, text);
      const here = [...names].flatMap((name) => definitions.get(`${scopeOfNames(block)}\n${name}`) ?? []);
      return [...here, ...(block.kind === 'variable' ? callsOf(block) : [])].filter((other) => other !== block);
    });
  }

  /** The calls of the module that a variable belongs to: their paths end with the name of its folder. */
  function callsOf({ file, language }: CodeBlock): CodeBlock[] {
    const folder = file.split('/').at(-2) ?? '';
    if (language !== 'terraform' || folder === '') return [];
    const isCall = (block: CodeBlock) =>
      block.kind === 'module' &&
      lines(block.file)
        .slice(block.line - 1, block.end_line)
        .some((line) => /^\s*source\s*=/.test(line) && line.includes(`/${folder}"`));
    return code.blocks.filter(isCall);
  }

  function allBehind(start: readonly CodeBlock[]): Set<CodeBlock> {
    const found = new Set(start);
    for (const block of found) {
      if (found.size > MOST_SITES) break;
      for (const other of namedBy(block)) found.add(other);
    }
    return found;
  }

  return (resources) => {
    const addresses = resources.map(parseAddress);
    const named = code.blocks.filter(({ address }) => {
      const own = parseAddress(address);
      return addresses.some((one) => sameAddress(one, own));
    });
    if (named.length === 0) return [];
    const sites = allBehind(named);
    const users = named.some(isDefinition)
      ? code.blocks.filter((block) => block.kind === 'resource' && named.some((one) => allBehind([block]).has(one)))
      : [];
    const concerned = new Set(named.flatMap(({ address }) => concernedResources(references(), address)));
    const others = code.blocks.filter(({ address }) => concerned.has(address));
    return [...new Set([...sites, ...users, ...others])].slice(0, MOST_SITES).map((block) => locationOf(block, named));
  };
}

const MOST_SITES = 60;

function isDefinition({ kind }: CodeBlock): boolean {
  return kind !== 'resource' && kind !== 'output' && kind !== 'provider';
}

function locationOf(block: CodeBlock, named: readonly CodeBlock[]): FlawLocation {
  const { address, file, line, end_line } = block;
  return { kind: named.includes(block) ? 'resource' : 'related', resource: address, file, line, end_line };
}

/** How other blocks refer to it: `local.x`, in CloudFormation only by its name. */
function keyOf(block: CodeBlock): string {
  return `${scopeOfNames(block)}\n${block.language === 'terraform' ? block.address : block.name}`;
}
