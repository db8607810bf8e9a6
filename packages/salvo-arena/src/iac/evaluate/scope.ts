import { once } from 'salvo/kit/text';
import type { Expression } from '../syntax/expression.ts';
import type { CodeProject } from '../syntax/parse-code.ts';
import type { Block } from '../syntax/source-file.ts';
import type { BlockView } from './block-view.ts';
import { templateInstance } from './cloudformation-scope.ts';
import { evaluate, type Place, type Work } from './evaluate.ts';
import { type InstanceBody, instanceBody } from './instance-body.ts';
import { type Viewer, type ViewHead, viewOf } from './instance-view.ts';
import { keyedPath, moduleInstances } from './module-calls.ts';
import { folderOf, terraformModules, writtenContent } from './terraform-module.ts';
import { bodiesOf, placeIn } from './terraform-scope.ts';
import { toValue, type Value } from './value.ts';

/**
 * A project after evaluation: variables with their defaults, locals, references, functions, `count` and `for_each`,
 * local modules with their inputs; in CloudFormation parameters, conditions, mappings. Nothing is fetched. A value that
 * the code alone does not determine, or that takes too long to evaluate, is unknown with a reason.
 */
export interface Scope {
  project: CodeProject;
  /**
   * All instances of resources and data sources, of one type (`aws_s3_bucket`), or of one block. There are none with
   * `count = 0`, or in a module without instances.
   */
  instances(of?: string | Block): BlockView[];
  /** A block as it is written, without `count`, `for_each`, override files and module inputs. */
  written(block: Block, file: string): BlockView;
  /** The value of an expression in an instance, or in a file if it is outside of all instances. */
  resolve(expression: Expression, where: BlockView | string): Value;
}

/** How many expressions may be evaluated for one question, and for all questions together. */
const WORK_PER_QUESTION = 200_000;
const WORK_IN_ALL = 20_000_000;

/**
 * How far expressions are followed. `full`: as far as Terraform and CloudFormation themselves would. `plain`: variables
 * with their defaults, locals, mappings, references, and `count` and `for_each` over any of these, but no conditions, no
 * inputs or outputs of modules, and no `for`: what a reader sees who looks at one file at a time.
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
  const viewer: Viewer = { asked, bodies };

  const modules = asked(() => moduleInstances(terraformModules(project.files), work, placeIn));
  const templates = project.files
    .filter(({ language }) => language === 'cloudformation')
    .map((source) => templateInstance(source, work));
  const allViews = once(() => [...terraformViews(), ...templateViews()]);
  const terraformViews = () =>
    modules.flatMap((instance) =>
      [...instance.module.blocks.values()].flatMap((content) => {
        const { block } = content;
        if (block.type !== 'resource' && block.type !== 'data') return [];
        const found = asked(() => bodiesOf(instance, content));
        return found.map(({ body, key }) => viewOf(viewer, body, headOf(block, instance.prefix, key)));
      }),
    );
  const templateViews = () =>
    templates.flatMap(({ resources, body }) =>
      resources.flatMap((block) => {
        const found = asked(() => body(block));
        return found ? [viewOf(viewer, found, headOf(block))] : [];
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
    written: (block, file) => {
      const place = placeOf(file);
      if (!place) throw new Error(`${file} is not a file of the project.`);
      return viewOf(viewer, instanceBody(writtenContent(block, file), place, false), headOf(block));
    },
    resolve: (expression, where) => {
      const place = placeOf(where);
      if (!place) return { known: false, reason: 'this is not a file of the project', partial: null, refersTo: null };
      return toValue(asked(() => evaluate(expression, place)));
    },
  };
}

function headOf({ type, labels, address }: Block, module = '', key: BlockView['key'] = null): ViewHead {
  const blockAddress = module + address;
  const [own = '', name = ''] = labels;
  return { kind: type, type: own, name, module, blockAddress, address: keyedPath(blockAddress, key), key };
}
