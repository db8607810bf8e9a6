/** A part of a text from the head of a block up to the next head. */
export interface TerraformPart {
  start: number;
  end: number;
  /** `['resource', 'aws_s3_bucket', 'data']`; null for the text before the first head. */
  head: string[] | null;
  /** After the opening brace. */
  bodyStart: number;
}

/** A head starts a line without indentation, as `terraform fmt` formats it. The pattern takes linear time. */
const HEAD = /^([A-Za-z_][\w-]*)((?:[ \t]+(?:"[^"\r\n]*"|[A-Za-z_][\w-]*))*)[ \t]*\{/gm;

/** Splits a broken file into parts that are parsed one by one, so that intact blocks are not lost. */
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
