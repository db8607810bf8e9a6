/** A stretch of text from the head of a block up to the next head. */
export interface TerraformPart {
  start: number;
  end: number;
  /** `['resource', 'aws_s3_bucket', 'data']`; null for what stands before the first head. */
  head: string[] | null;
  /** Behind the opening brace. */
  bodyStart: number;
}

/** Heads begin a line without indentation, as `terraform fmt` has it. Blanks are told apart by what follows: linear. */
const HEAD = /^([A-Za-z_][\w-]*)((?:[ \t]+(?:"[^"\r\n]*"|[A-Za-z_][\w-]*))*)[ \t]*\{/gm;

/** The parts of a broken file that can be read one by one, so that what is intact is not lost. */
export function splitBrokenTerraform(text: string, start: number): TerraformPart[] {
  const parts: TerraformPart[] = [];
  HEAD.lastIndex = start;
  for (let match = HEAD.exec(text); match; match = HEAD.exec(text)) {
    const labels = (match[2] ?? '').match(/"[^"]*"|[^\s"]+/g) ?? [];
    const head = [match[1] ?? '', ...labels.map((label) => label.replaceAll('"', ''))];
    const before = parts.at(-1);
    if (before) before.end = match.index;
    else if (text.slice(start, match.index).trim() !== '') {
      parts.push({ start, end: match.index, head: null, bodyStart: start });
    }
    parts.push({ start: match.index, end: text.length, head, bodyStart: HEAD.lastIndex });
  }
  return parts.length > 0 ? parts : [{ start, end: text.length, head: null, bodyStart: start }];
}
