import type { Expression } from '../syntax/expression.ts';
import type { CodeProject } from '../syntax/parse-code.ts';
import type { Block } from '../syntax/source-file.ts';
import type { BlockView } from './block-view.ts';
import { templateInstance } from './cloudformation-scope.ts';
import { evaluate, type Place, type Work } from './evaluate.ts';
import { attributeValue, type InstanceBody } from './instance-body.ts';
import { remembered, type Viewer, viewOf } from './instance-view.ts';
import { fromJsonText } from './json-text.ts';
import { keyedPath } from './module-calls.ts';
import { isObject, isUnknown, type PartialValue } from './partial-value.ts';
import { folderOf, terraformModules } from './terraform-module.ts';
import { bodiesOf, moduleInstances, placeIn } from './terraform-scope.ts';
import { type Json, toValue, type Value, withoutUnknowns } from './value.ts';

/**
 * What a project comes to: variables with their defaults, locals, references, functions, `count` and `for_each`, local
 * modules with their inputs; in CloudFormation parameters, conditions, mappings. Nothing is fetched, and nothing takes
 * for ever: what the code alone does not tell, or what would take too much work, is unknown with a reason.
 */
export interface Scope {
  project: CodeProject;
  /**
   * Every resource and data source that there is, in all modules. Of one type (`aws_s3_bucket`), of one block, or all.
   * A block with `count = 0`, or in a module that is not called for, has none.
   */
  instances(of?: string | Block): BlockView[];
  /** What an expression comes to inside of an instance, or in a file when it stands outside of any. */
  resolve(expression: Expression, where: BlockView | string): Value;
  /**
   * A policy, or any JSON, that an attribute holds as a text (`jsonencode`, a heredoc, `aws_iam_policy_document`) or
   * as a map. Unknown parts are texts such as `${aws_s3_bucket.a.arn}`. Null when there is none that can be read.
   */
  json(view: BlockView, name: string): Json | null;
}

/** How many expressions may be worked out for one question, and for all of them together. */
const WORK_PER_QUESTION = 200_000;
const WORK_IN_ALL = 20_000_000;

/**
 * How far expressions are followed. `full`: as far as Terraform and CloudFormation themselves would. `plain`: variables
 * with their defaults, locals, mappings and references, but no conditions, no inputs or outputs of modules, and no `count`,
 * `for_each` or `for`: as one who reads file by file sees it.
 */
export type Reach = 'full' | 'plain';

export function createScope(project: CodeProject, { reach = 'full' }: { reach?: Reach } = {}): Scope {
  const work: Work = { left: WORK_PER_QUESTION, depth: 0, plain: reach === 'plain' };
  let inAll = WORK_IN_ALL;
  const asked = <T>(question: () => T): T => {
    work.depth = 0;
    const given = Math.min(WORK_PER_QUESTION, inAll);
    work.left = given;
    const answer = question();
    inAll -= given - Math.max(0, work.left);
    return answer;
  };
  const bodies = new WeakMap<BlockView, InstanceBody>();
  const documents = new WeakMap<BlockView, Map<string, Json | null>>();
  const viewer: Viewer = { asked, bodies };

  const modules = asked(() => moduleInstances(terraformModules(project.files), work));
  const templates = project.files
    .filter(({ language }) => language === 'cloudformation')
    .map((source) => templateInstance(source, work));
  let views: BlockView[] | undefined;
  const allViews = () => {
    views ??= [...terraformViews(), ...templateViews()];
    return views;
  };
  const terraformViews = () =>
    modules.flatMap((instance) =>
      [...instance.module.blocks.values()].flatMap((block) => {
        const { type, labels, address } = block.block;
        if (type !== 'resource' && type !== 'data') return [];
        return asked(() => bodiesOf(instance, block)).map(({ body, key }) => {
          const blockAddress = instance.prefix + address;
          const head = { kind: type, type: labels[0] ?? '', name: labels[1] ?? '', blockAddress, key };
          return viewOf(viewer, body, { ...head, address: keyedPath([blockAddress], { key }) });
        });
      }),
    );
  const templateViews = () =>
    templates.flatMap(({ source, body }) =>
      source.blocks.flatMap((block) => {
        if (block.type !== 'resource') return [];
        const found = asked(() => body(block));
        const { labels, address } = block;
        const head = {
          kind: 'resource',
          type: labels[0] ?? '',
          name: labels[1] ?? '',
          address,
          blockAddress: address,
          key: null,
        };
        return found ? [viewOf(viewer, found, head)] : [];
      }),
    );
  const placeOf = (where: BlockView | string): Place | undefined => {
    if (typeof where !== 'string') return bodies.get(where)?.place;
    const template = templates.find(({ source }) => source.file === where);
    if (template) return template.place;
    const instance = modules.find(({ module }) => module.folder === folderOf(where));
    return instance && placeIn(instance);
  };
  return {
    project,
    instances: (of) => {
      if (of === undefined) return [...allViews()];
      return allViews().filter((view) => (typeof of === 'string' ? view.type === of : view.block === of));
    },
    resolve: (expression, where) => {
      const place = placeOf(where);
      if (!place) return { known: false, reason: 'this is no file of the project', partial: null, refersTo: null };
      return toValue(asked(() => evaluate(expression, place)));
    },
    json: (view, name) => {
      const body = bodies.get(view);
      if (!body) return null;
      const known = documents.get(view) ?? new Map<string, Json | null>();
      documents.set(view, known);
      return remembered(known, name, () => jsonOf(asked(() => attributeValue(body, name))));
    },
  };
}

function jsonOf(value: PartialValue | undefined): Json | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' && !isUnknown(value)) return withoutUnknowns(value);
  const parsed = fromJsonText(value);
  return parsed !== null && (isObject(parsed) || Array.isArray(parsed)) ? withoutUnknowns(parsed) : null;
}
