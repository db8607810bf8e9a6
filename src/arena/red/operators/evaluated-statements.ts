import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import type { Json } from '../../../iac/evaluate/value.ts';
import { attributePath } from './attribute-path.ts';
import { type EvaluatedHolder, holderOf } from './evaluated-holder.ts';
import type { CodePlace } from './operator.ts';
import { policySource } from './policy-source.ts';

export interface EvaluatedStatement {
  statement: Json;
  place: CodePlace;
}

/** The statements of the policies at a path, as they come out. Null when a policy cannot be read. */
export function evaluatedStatements(scope: Scope, view: BlockView, path: string): EvaluatedStatement[] | null {
  const steps = attributePath(path);
  const last = steps.at(-1)?.name ?? '';
  const direct = steps.length === 1 ? documentStatements(scope, view, last) : null;
  if (direct) return direct;
  if (steps.length === 1 && !view.get(last)) return null;
  const policies = steps.reduce<EvaluatedHolder[]>(
    (holders, { name }) => holders.flatMap((holder) => holder.children(name)),
    [holderOf(scope, view)],
  );
  if (steps.length === 1 && policies.length === 0) return null;
  return policies.flatMap((policy) =>
    policy.children('Statement').map((one) => ({ statement: fieldsOf(one), place: one.place })),
  );
}

const FIELDS = ['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Principal', 'Condition'];

function fieldsOf(holder: EvaluatedHolder): Json {
  return Object.fromEntries(FIELDS.map((name) => [name, holder.get(name)?.value ?? null]));
}

/** A policy that comes from a document of Terraform: its blocks know where each statement stands. */
function documentStatements(scope: Scope, view: BlockView, name: string): EvaluatedStatement[] | null {
  const written = view.get(name)?.attribute.value;
  const address = written ? policySource(written) : null;
  if (address === null) return null;
  const document = scope.instances('aws_iam_policy_document').find(({ block }) => block.address === address);
  const json = scope.json(view, name);
  if (!document || typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const { Statement: statements = [] } = json;
  if (!Array.isArray(statements)) return null;
  const blocks = document.blocks('statement');
  const { file, line, end_line } = document;
  return statements.map((statement, index) => {
    const block = blocks.length === statements.length ? blocks[index] : undefined;
    return {
      statement,
      // An override may stand in another file.
      place: block ? { file: block.file, line: block.line, end_line: block.end_line } : { file, line, end_line },
    };
  });
}
