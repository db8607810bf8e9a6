import { remembered } from 'salvo/kit/text';
import type { Attribute } from '../syntax/expression.ts';
import type { AttributeView, BlockView } from './block-view.ts';
import { type InstanceBody, nestedBodies, setValue } from './instance-body.ts';
import type { Placed } from './terraform-module.ts';
import { toValue } from './value.ts';

export interface Viewer {
  /** Answers a question within the budget of one question. */
  asked: <T>(question: () => T) => T;
  /** The body of each view. */
  bodies: WeakMap<BlockView, InstanceBody>;
}

export type ViewHead = Pick<BlockView, 'kind' | 'type' | 'name' | 'module' | 'address' | 'blockAddress' | 'key'>;

/** The view of an instance. Everything is evaluated on first use, and only once. */
export function viewOf(viewer: Viewer, body: InstanceBody, head: ViewHead): BlockView {
  const { block, file, line, end_line, certain, attributes } = body;
  const [values, nested, settings] = [
    new Map<string, AttributeView | null>(),
    new Map<string, BlockView[]>(),
    new Map<string, AttributeView | null>(),
  ];
  const view: BlockView = {
    ...head,
    block,
    file,
    line,
    end_line,
    certain,
    names: () => [...attributes.keys()],
    get: (name) => remembered(values, name, () => attributeView(viewer, body, attributes.get(name))),
    blocks: (type) => [...remembered(nested, type, () => nestedViews(viewer, body, head, type))],
    setting: (name) =>
      remembered(settings, name, () => {
        const setting = block.settings.find((one) => one.name === name);
        return attributeView(viewer, body, setting && { it: setting, file });
      }),
  };
  viewer.bodies.set(view, body);
  return view;
}

function nestedViews(viewer: Viewer, body: InstanceBody, head: ViewHead, type: string): BlockView[] {
  return viewer
    .asked(() => nestedBodies(body, type))
    .map((nested, index) => {
      const address = `${head.address}.${type}[${index}]`;
      const blockAddress = `${head.blockAddress}.${type}`;
      const kind = nested.block.type;
      return viewOf(viewer, nested, { ...head, kind, type, name: '', address, blockAddress, key: null });
    });
}

function attributeView(
  { asked }: Viewer,
  { place }: InstanceBody,
  placed: Placed<Attribute> | undefined,
): AttributeView | null {
  if (!placed) return null;
  const { it, file } = placed;
  const value = asked(() => setValue(it, place));
  if (value === undefined) return null;
  const { name, line, end_line } = it;
  return { name, value: toValue(value), attribute: it, file, line, end_line };
}
