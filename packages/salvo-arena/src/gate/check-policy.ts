import { isKnownThroughout } from '../iac/evaluate/value.ts';
import { type PolicyStatement, statementsBelow } from '../iac/read/policy-statements.ts';
import { plainWords, says } from './claim-words.ts';
import { type Fact, leadsThrough } from './code-facts.ts';
import { type Check, failed, passed } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import { blocksAround, type GatedBlock } from './gated-code.ts';
import { claimedPaths } from './named-attributes.ts';

const WILD =
  / (?:wildcard|anyone|anybody|everyone|everybody|anonymous|unauthenticated|full access|overly permissive|too broad|overly broad|(?:the|whole|entire) (?:world|internet)|any aws|(?:any|every|all|arbitrary|unlimited) (?:\w+ ){0,2}(?:action|permission|privilege|operation|resource|principal|account|user|identit|caller)s?)/;
const PRINCIPAL =
  / (?:principal|anyone|anybody|everyone|everybody|anonymous|unauthenticated|any aws|public read|publicly|(?:the|whole|entire) (?:world|internet)|(?:any|every|all|arbitrary|other|foreign) (?:\w+ ){0,2}(?:account|user|identit|caller)s?)/;
const ACTION = / (?:action|permission|privilege|operation)/;
const RESOURCE = / (?:(?:all|any|every) (?:\w+ )?resource|resource wildcard|wildcard resource|resource is)/;
/** "With no aws:SourceArn condition": up to four words name the condition. */
const UNCONDITIONAL =
  / (?:(?:without|no|missing|lacks?|lacking) (?:\w+ ){0,4}conditions?|(?:without|no|missing) (?:an )?external ?id|conditions? (?:is |are )?missing) /;
const ADMIN = [
  'full admin',
  ...['administrator', 'administrative', 'admin'].flatMap((who) =>
    ['access', 'right', 'privilege', 'permission', 'polic'].map((what) => `${who} ${what}`),
  ),
  'every action on every resource',
  'all actions on all resources',
];
const MANAGED = /AdministratorAccess|FullAccess|PowerUserAccess/;
const MANAGED_NAMES = /policyarns?$/;
const ABOUT_POLICIES = /polic|role|iam|permission/i;

/**
 * Compares a claim that a policy allows too much with its statements. Null for other claims, or if it is undecidable.
 */
export function checkPolicy(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): Check | null {
  if (!isAboutStatements(claim, blocks, facts)) return null;
  const words = plainWords(claim.text);
  const isWild = WILD.test(words) || /["'`\s:]\*["'`\s.,)]|\*$/.test(claim.text);
  const isUnconditional = UNCONDITIONAL.test(words);
  const isAdmin = says(words, ADMIN) || says(plainWords(claim.name), ['administrator']);
  if (!isWild && !isUnconditional && !isAdmin) return null;
  if (!ABOUT_POLICIES.test(`${claim.text} ${claim.attributes.join(' ')} ${blocks.map(({ type }) => type).join(' ')}`))
    return null;
  const around = [...blocksAround(blocks)].filter((block) => blocks.includes(block) || block.deployed());
  const statements = around.flatMap((block) =>
    statementsOf(block)
      .filter((one) => !denies(one))
      .map(grantOf),
  );
  const where = blocks[0]?.address ?? '';
  if (statements.length === 0) {
    const onlyDenies = !isUnconditional && blocks.some((block) => statementsOf(block).some(denies));
    return onlyDenies ? failed('attribute', `the policy of ${where} allows nothing: it only denies`) : null;
  }
  if (isUnconditional && statements.every(({ hasCondition }) => hasCondition)) {
    return failed('attribute', `every statement of the policy of ${where} has a condition`);
  }
  if (isAdmin && !statements.some(({ actions }) => actions.some((action) => /^\*(?::\*)?$/.test(action)))) {
    // The statements of a managed policy are not in the code.
    const isManaged = around.some((block) => MANAGED.test(block.text) || MANAGED.test(JSON.stringify(block.values())));
    if (!isManaged) return failed('attribute', `no statement of the policy of ${where} allows every action`);
  }
  if (isUnconditional) return passed('attribute', `a statement of the policy of ${where} has no condition`);
  if (!isWild) return passed('attribute', `a policy of ${where} allows every action`);
  const parts = partsMeant(words, statements);
  const wild = parts.find((part) => statements.some((statement) => statement[part].some((text) => text.includes('*'))));
  if (wild) return passed('attribute', `the policy of ${where} has a wildcard in its ${wild}`);
  if (
    !/ principal/.test(words) &&
    statements.some(({ conditionValues }) => conditionValues.some((one) => one.includes('*')))
  )
    return passed('attribute', `the policy of ${where} has a wildcard in its conditions`);
  // Who is behind an identity provider is decided by conditions.
  if (parts.includes('principals') && statements.some(({ isFederated }) => isFederated)) return null;
  const isDecided = statements.every((statement) => parts.every((part) => statement[part].every(isDecidable)));
  return isDecided
    ? failed('attribute', `no statement of the policy of ${where} has a wildcard in its ${parts.join(' or ')}`)
    : null;
}

/** Whether the attributes that the claim names, if any, contain a policy. */
function isAboutStatements(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): boolean {
  const paths = claimedPaths(claim, blocks);
  if (paths.length === 0) return true;
  const named = facts.filter(({ path }) => paths.some((names) => leadsThrough(path, names)));
  return named.some(({ path }) => path.includes('statement') || MANAGED_NAMES.test(path.at(-1) ?? ''));
}

function statementsOf({ nodes }: GatedBlock): PolicyStatement[] {
  return nodes().flatMap((node) => statementsBelow(node));
}

function denies({ effect }: PolicyStatement): boolean {
  return effect?.includes('deny') === true;
}

type Grant = ReturnType<typeof grantOf>;

/** What a statement allows. "All except these" counts as a wildcard. */
function grantOf(statement: PolicyStatement) {
  const { actions, hasNotAction, resources, principals, hasNotPrincipal, conditions } = statement;
  return {
    actions: hasNotAction ? [...actions, '*'] : actions,
    resources,
    principals: [...principals.map(({ id }) => id), ...(hasNotPrincipal ? ['*'] : [])],
    isFederated: principals.some(({ kind }) => kind === 'Federated'),
    hasCondition: conditions.some(({ key }) => key !== ''),
    conditionValues: conditions.flatMap(({ values }) => values),
  };
}

type GrantPart = 'actions' | 'resources' | 'principals';

/** A claim about "wildcard actions on the bucket's resources" is wrong only when neither part has a wildcard. */
function partsMeant(words: string, statements: readonly Grant[]): GrantPart[] {
  const isMeant = {
    actions: ACTION.test(words),
    // A policy of an identity never has principals, so their absence means nothing.
    principals: PRINCIPAL.test(words) && statements.some((statement) => statement.principals.length > 0),
    resources: RESOURCE.test(words),
  };
  const meant = (['actions', 'principals', 'resources'] as const).filter((part) => isMeant[part]);
  return meant.length > 0 ? meant : ['actions', 'resources', 'principals'];
}

/** False for a text that is wholly unknown, and so may be a wildcard. An ARN with an unknown part is none. */
function isDecidable(text: string): boolean {
  return isKnownThroughout(text) || !/^\$\{[^}]*\}$/.test(text) || /\.(?:arn|id)\}$/.test(text);
}
