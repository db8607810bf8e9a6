import type { CodeBlock } from '../../iac/syntax/code-block.ts';
import { memoByKey, once, remembered } from '../../text/memo.ts';
import { parseAddress, sameAddress } from '../claims/resource-address.ts';
import type { SourceCode } from './source-code.ts';

/** Finds the address of what a claim calls by another name. Null if it is an address already, or if nothing fits. */
export type FindAddress = (name: string, type?: string) => string | null;

/**
 * People and models call a resource by its name in the cloud (`org-archive` for the trail with this name), or describe it
 * ("the exchange bucket" for `aws_s3_bucket.exchange`). Only a name that fits one resource is taken.
 */
export function nameFinder(code: SourceCode): FindAddress {
  const named = code.blocks.map(({ address }) => parseAddress(address));
  const inCloud = once(() => cloudNames(code));
  const described = code.blocks.filter(({ kind }) => kind === 'resource' || kind === 'data').map(wordsOfBlock);
  const find = memoByKey((key): string | null => {
    const [name = '', type = ''] = key.split('\n');
    const address = parseAddress(name);
    if (named.some((one) => sameAddress(one, address))) return null;
    const called = inCloud().get(address.name ?? '') ?? [];
    const fitting = called.filter((block) => address.type === null || block.type.toLowerCase() === address.type);
    const [only, another] = new Set(fitting.map((block) => block.address));
    return (another === undefined ? only : undefined) ?? describedBy(described, name, type);
  });
  return (name, type = '') => (name.length > LONGEST_NAME ? null : find(`${name}\n${type}`));
}

const LONGEST_NAME = 200;

/** `bucket`, `name`, `function_name`, `cluster_identifier`; `BucketName`, `DBInstanceIdentifier`. */
const NAMING = /(?:^|_)(?:name|identifier|bucket)$|(?:Name|Identifier)$/;

interface CalledBlock {
  address: string;
  type: string;
}

/** Resources by their names in the cloud and by the keys of their instances, in lower case. */
function cloudNames(code: SourceCode): Map<string, CalledBlock[]> {
  const byName = new Map<string, CalledBlock[]>();
  for (const view of code.scope().instances()) {
    const { address } = view.block;
    const values = view.names().flatMap((name) => (NAMING.test(name) ? (view.get(name)?.value ?? []) : []));
    const names = values.flatMap((value) => (value.known && typeof value.value === 'string' ? [value.value] : []));
    for (const name of [...names, ...(typeof view.key === 'string' ? [view.key] : [])]) {
      remembered(byName, name.toLowerCase(), () => []).push({ address, type: view.type });
    }
  }
  return byName;
}

interface BlockWords {
  address: string;
  /** The words of its name that are not words of its type. */
  name: ReadonlySet<string>;
  /** Each word of its type, with other words for it. */
  type: readonly (readonly string[])[];
}

function wordsOfBlock({ address, type, name }: CodeBlock): BlockWords {
  const ofType = wordsIn(type).map((word) => [word, ...(OTHER_WORDS[word] ?? [])]);
  const own = new Set(ofType.flat());
  return { address, type: ofType, name: new Set(wordsIn(name).filter((word) => !own.has(word))) };
}

/** What else the parts of types are called. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  db: ['database', 'rds'],
  rds: ['database', 'aurora'],
  lb: ['load', 'balancer', 'alb', 'nlb'],
  lambda: ['function'],
  instance: ['ec2', 'server'],
  efs: ['file', 'system'],
  eks: ['kubernetes'],
  ecr: ['registry', 'container', 'image'],
  apigateway: ['api', 'gateway'],
};

/** The only resource whose name and type account for every word, with the fewest words of its type left over. */
function describedBy(blocks: readonly BlockWords[], name: string, type: string): string | null {
  const words = new Set(wordsIn(name));
  // A single word is a name, and that one is not in the code.
  if (!/\s/.test(name.trim()) || words.size === 0 || words.size > MOST_WORDS) return null;
  const said = words.union(new Set(wordsIn(type)));
  const fitting = blocks
    .filter((block) => block.name.size > 0 && block.name.isSubsetOf(words))
    .filter((block) => words.isSubsetOf(block.name.union(new Set(block.type.flat()))))
    .map(({ address, type: parts }) => ({
      address,
      left: parts.filter((part) => !part.some((word) => said.has(word))),
    }));
  const fewest = Math.min(...fitting.map(({ left }) => left.length));
  const [only, another] = fitting.filter(({ left }) => left.length === fewest);
  return only && !another ? only.address : null;
}

const MOST_WORDS = 12;
const FILLERS = new Set('the a an this that our my its of for in on at to with and aws resource'.split(' '));

/** In lower case, without fillers and without the s of a plural: `user`, `pool` of `UserPools`. */
function wordsIn(text: string): string[] {
  const parts =
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const singular = parts.map((word) => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word));
  return singular.filter((word) => !FILLERS.has(word));
}
