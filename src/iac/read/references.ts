import type { Block, SourceFile } from '../syntax/source-file.ts';

/** Which resources and data sources each of them refers to, by the names in its code. */
export function referencesIn(files: readonly SourceFile[]): Map<Block, Set<Block>> {
  const placed = files.flatMap((source) => source.blocks.filter(hasAddress).map((block) => ({ source, block })));
  const byName = new Map(placed.map(({ source, block }) => [keyOf(source, nameOf(source, block)), block]));
  return new Map(
    placed.map(({ source, block }) => {
      const targets = [...namesIn(source, block)].flatMap((name) => byName.get(keyOf(source, name)) ?? []);
      return [block, new Set(targets.filter((target) => target !== block))];
    }),
  );
}

function hasAddress({ type }: Block): boolean {
  return type === 'resource' || type === 'data';
}

/** Names are unique within a folder in Terraform, and within a file in CloudFormation. */
function keyOf({ file, language }: SourceFile, name: string): string {
  return `${language === 'terraform' ? file.slice(0, file.lastIndexOf('/') + 1) : file}\n${name}`;
}

/** How other blocks refer to it: `aws_s3_bucket.data`, in CloudFormation only the name. */
function nameOf({ language }: SourceFile, { address }: Block): string {
  return language === 'terraform' ? address : address.slice(address.lastIndexOf('.') + 1);
}

function namesIn({ language, text }: SourceFile, { range }: Block): Set<string> {
  const code = text.slice(range.start, range.end);
  if (language === 'cloudformation') return new Set(code.match(/[A-Za-z0-9]+/g));
  const names = new Set<string>();
  // A single character class, so that the pattern takes linear time on a megabyte without a dot.
  for (const [path] of code.matchAll(/[A-Za-z_][\w.-]*/g)) {
    if (!path.includes('.')) continue;
    const steps = path.split('.', 3);
    names.add(steps.slice(0, steps[0] === 'data' ? 3 : 2).join('.'));
  }
  return names;
}
