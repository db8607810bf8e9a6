import type { SourceFile } from '../iac/syntax/source-file.ts';
import type { Finding } from '../match/claims/finding.ts';

/** `salvo:ignore SALVO_AWS_040 the disk is a cache`; several rules have commas between them. */
const IGNORE = /\bsalvo:ignore[ \t]{1,20}([\w.-]{1,100}(?:,[ \t]?[\w.-]{1,100}){0,50})/;

/**
 * Whether a comment in the code asks to ignore a finding: one that names its rule, inside the resource that the finding
 * is in or on the line before it.
 */
export function createIgnoreTest(sources: readonly SourceFile[]): (finding: Finding) => boolean {
  const byFile = new Map(sources.map((source) => [source.file, { ...source, ignored: ignoredRules(source) }]));
  return ({ file, line, rule_id }) => {
    const source = byFile.get(file ?? '');
    if (!source || !line || !rule_id) return false;
    const block = source.blocks.find((each) => each.line <= line && line <= each.end_line);
    const [first, last] = [(block?.line ?? line) - 1, block?.end_line ?? line];
    return source.ignored.some(
      (comment) => comment.rules.has(rule_id.toLowerCase()) && comment.line >= first && comment.line <= last,
    );
  };
}

function ignoredRules({ text, comments }: SourceFile): { rules: ReadonlySet<string>; line: number }[] {
  return comments.flatMap(({ start, end }) => {
    const [, rules] = IGNORE.exec(text.slice(start, end)) ?? [];
    if (rules === undefined) return [];
    const line = text.slice(0, start).split('\n').length;
    return [{ rules: new Set(rules.toLowerCase().split(/,[ \t]?/)), line }];
  });
}
