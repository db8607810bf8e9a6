import { isRecord, memoByKey, once, remembered } from 'salvo/kit/text';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { referencesByAddress } from '../../iac/read/references.ts';
import type { CodeBlock } from '../../iac/syntax/code-block.ts';
import { addressKey, parseAddress, type ResourceAddress, sameAddress } from '../claims/resource-address.ts';
import type { SourceCode } from './source-code.ts';

/** Finds the address of what a claim calls by another name. Null if it is a whole address, or if nothing fits. */
export type FindAddress = (name: string, type?: string) => string | null;

/**
 * People and models call a resource by its name in the cloud (`org-archive` for the trail with this name), or describe it
 * ("the exchange bucket" for `aws_s3_bucket.exchange`). Only a name that fits one resource is taken.
 */
export function nameFinder(code: SourceCode): FindAddress {
  const named = Map.groupBy(code.blocks, ({ address }) => addressKey(parseAddress(address)));
  const blocksAt = (address: ResourceAddress): CodeBlock[] =>
    (named.get(addressKey(address)) ?? []).filter((block) => sameAddress(address, parseAddress(block.address)));
  const inCloud = once(() => cloudNames(code));
  const described = code.blocks.filter(({ kind }) => kind === 'resource' || kind === 'data').map(wordsOfBlock);
  const references = once(() => referencesByAddress(code.project));

  /** A policy may be called by the name of the queue that it is for. */
  function calledInCloud({ type, name }: ResourceAddress): string | null {
    const called = inCloud().get(name ?? '') ?? [];
    if (type === null) return onlyOne(called);
    const isOfType = (block: CodeBlock) => block.type.toLowerCase() === type;
    const about = new Set(called.map(({ address }) => address));
    return (
      onlyOne(called.filter(isOfType)) ??
      onlyOne(
        code.blocks.filter(
          (block) => isOfType(block) && !about.isDisjointFrom(references().get(block.address) ?? NONE),
        ),
      )
    );
  }

  /** "SearchDomain endpoint": a word that is written like a name, and is one. */
  function spelledOut(text: string): string | null {
    const words = text.split(/[\s,;()]+/).filter((word) => /[_-]|[a-z][A-Z]|\w\.\w/.test(word));
    if (!/\s/.test(text.trim()) || words.length > MOST_WORDS) return null;
    return onlyOne(words.flatMap((word) => blocksAt(parseAddress(word))));
  }

  const find = memoByKey((key): string | null => {
    const [name = '', type = ''] = key.split('\n');
    const address = parseAddress(name);
    const there = blocksAt(address);
    // A bare name says more with its type.
    if (there.length > 0) return address.type === null ? onlyOne(there.filter((block) => block.type !== '')) : null;
    return calledInCloud(address) ?? spelledOut(name) ?? describedBy(described, name, type);
  });
  return (name, type = '') => (name.length > LONGEST_NAME ? null : find(`${name}\n${type}`));
}

const LONGEST_NAME = 200;
const NONE: ReadonlySet<string> = new Set();

/** The address that all of them have; null if there are none, or different ones. */
function onlyOne(blocks: readonly CodeBlock[]): string | null {
  const [only, another] = new Set(blocks.map(({ address }) => address));
  return only !== undefined && another === undefined ? only : null;
}

/** `bucket`, `name`, `function_name`, `cluster_identifier`, `family`; `BucketName`, `DBInstanceIdentifier`. */
const NAMING = /(?:^|_)(?:name|identifier|bucket|family)$|(?:Name|Identifier|Family)$/;

/** Resources by their names in the cloud and by the keys of their instances, in lower case. */
function cloudNames(code: SourceCode): Map<string, CodeBlock[]> {
  const blocks = new Map(code.blocks.map((block) => [`${block.file}\n${block.address}`, block]));
  const byName = new Map<string, CodeBlock[]>();
  for (const view of code.scope().instances()) {
    const block = blocks.get(`${view.file}\n${view.block.address}`);
    if (!block) continue;
    for (const name of cloudNamesOf(view)) remembered(byName, name.toLowerCase(), () => []).push(block);
  }
  return byName;
}

function cloudNamesOf(view: BlockView): string[] {
  const known = (name: string): unknown => {
    const value = view.get(name)?.value;
    return value?.known ? value.value : undefined;
  };
  const tags = known('tags');
  const values = [
    ...view
      .names()
      .filter((name) => NAMING.test(name))
      .map(known),
    view.key,
    isRecord(tags) ? tags.Name : null,
  ];
  return values.filter((value) => typeof value === 'string');
}

type BlockWords = ReturnType<typeof wordsOfBlock>;

/** Each word of its type, with other words for it; all words of its name; and those that are not words of its type. */
function wordsOfBlock({ address, type, name }: CodeBlock) {
  const ofType = wordsIn(type).map((word) => [word, ...wordsIn(OTHER_WORDS.get(word) ?? '')]);
  const own = new Set(ofType.flat());
  const whole = new Set(wordsIn(name));
  return { address, type: ofType, whole, name: whole.difference(own) };
}

/** What else the parts of types are called. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apigateway: 'api gateway',
    cloudfront: 'cdn',
    db: 'database rds',
    ebs: 'volume disk',
    ecr: 'registry container image',
    efs: 'file system share',
    eks: 'kubernetes',
    elasti: 'redis memcached elasticache',
    elasticache: 'redis memcached cache',
    instance: 'ec2 server',
    lambda: 'function',
    lb: 'load balancer alb nlb',
    mq: 'broker activemq rabbitmq',
    msk: 'kafka',
    open: 'opensearch elasticsearch',
    rds: 'database aurora',
    secretsmanager: 'secret',
  }),
);

/** The only resource whose name and type account for every word, with the fewest words of its own left over. */
function describedBy(blocks: readonly BlockWords[], name: string, type: string): string | null {
  const words = new Set(wordsIn(name));
  // A single word is a name, and that one is not in the code.
  if (!/\s/.test(name.trim()) || words.size === 0 || words.size > MOST_WORDS) return null;
  const said = words.union(new Set(wordsIn(type)));
  const fitting = blocks
    .filter((block) => block.name.size > 0 && block.name.isSubsetOf(words))
    .filter((block) => words.isSubsetOf(block.name.union(new Set(block.type.flat()))))
    .map(({ address, type: parts, whole }) => ({
      address,
      left: [...parts.filter((part) => !part.some((word) => said.has(word))), ...whole.difference(words)],
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
      .replaceAll(/['’]s\b/g, '')
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const singular = parts.map((word) => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word));
  return singular.filter((word) => !FILLERS.has(word));
}
