/** What a text that is not JSON seems to be, and what to do instead. */
interface Likeness {
  what: string;
  advice: string;
}

const HEAD = 20_000;

interface Pattern extends Likeness {
  pattern: RegExp;
}

const FINDINGS_OF = 'Give the findings as JSON or SARIF.';

/** In the order in which they are tried. Tools come before languages, because reports quote code and tables. */
const PATTERNS: readonly Pattern[] = [
  { pattern: /^\u001f(?:\ufffd|\u008b)/, what: 'a gzip archive', advice: 'Unpack it first.' },
  { pattern: /^PK\u0003\u0004/, what: 'a zip archive', advice: 'Unpack it and give the report inside.' },
  {
    pattern: /^(?:[\ufeff\ufffe]|\ufffd\ufffd)?(?:[^\0]\0|\0[^\0]){2}/,
    what: 'UTF-16 text, as PowerShell writes with ">"',
    advice: 'Save it as UTF-8 (PowerShell: "| Out-File -Encoding utf8").',
  },
  { pattern: /\0/, what: 'binary data', advice: FINDINGS_OF },
  { pattern: /^\s*<(?:!doctype html|html[\s>])/i, what: 'HTML', advice: FINDINGS_OF },
  {
    pattern: /^\s*<[\s\S]{0,300}<?testsuites?[\s>]/,
    what: 'a JUnit report',
    advice: 'Have the scanner write JSON or SARIF instead.',
  },
  { pattern: /^\s*<\??[a-z]/i, what: 'XML', advice: FINDINGS_OF },
  {
    pattern: /^Passed checks: \d+, Failed checks: \d+|^Check: CKV\w*_|bridgecrew\.io \| version/im,
    what: "Checkov's console output",
    advice: 'Run it with -o json.',
  },
  {
    pattern:
      /^Tests: \d+ \(SUCCESSES: \d+|^Failures: \d+ \([A-Z]+: \d+|^\S{1,300} \((?:terraform|cloudformation|dockerfile|kubernetes|helm)\)\s*\n[=-]{3}/m,
    what: "Trivy's console output",
    advice: 'Run it with --format json.',
  },
  {
    pattern: /Keeping Infrastructure as Code Secure|^Results Summary:\s*$|^Preparing Scan Assets/m,
    what: "KICS's console output",
    advice: 'Run it with --report-formats json --output-path DIR and give the results.json there.',
  },
  {
    pattern: /^[ \t]*Result #\d+ [A-Z]+ |tfsec is joining the Trivy family/m,
    what: "tfsec's console output",
    advice: 'Run it with --format json.',
  },
  { pattern: /^Violation Details -/m, what: "Terrascan's console output", advice: 'Run it with -o json.' },
  { pattern: /^Snyk Infrastructure as Code/m, what: "Snyk's console output", advice: 'Run it with --json.' },
  {
    pattern: /^\S{1,300} Status = (?:FAIL|PASS|SKIP)/m,
    what: "cfn-guard's console output",
    advice: 'Run it with --structured --output-format json --show-summary none.',
  },
  {
    pattern: /^.{0,20}\d+ Code Findings?\b|^Ran \d+ rules? on \d+ files?/m,
    what: "Semgrep's console output",
    advice: 'Run it with --json.',
  },
  {
    pattern: /^(?:AWSTemplateFormatVersion|Resources):/m,
    what: 'a CloudFormation template',
    advice: 'That is what is scanned: give the findings about it.',
  },
  {
    pattern: /^(?:resource|data|module|variable|provider|output|terraform|locals)\b[^\n{=]{0,300}\{/m,
    what: 'Terraform code',
    advice: 'That is what is scanned: give the findings about it.',
  },
  {
    pattern: /^[^\n{[,]{1,200},[^\n,{[]{1,200},[^\n{[]{0,2000}\n[^\n,]{0,200},[^\n,]{0,200},/,
    what: 'CSV',
    advice: FINDINGS_OF,
  },
  {
    pattern: /^(?:---\s*\n|#[^\n]{0,200}\n){0,20}(?:---\s*\n|- )?["']?[\w-]{1,100}["']?:(?: |\n)/,
    what: 'YAML',
    advice: 'Write the same as JSON.',
  },
  { pattern: /^#{1,6} /m, what: 'Markdown', advice: FINDINGS_OF },
];

/** What a text seems to be, from its beginning; null when it could be anything. */
export function textLooksLike(text: string): Likeness | null {
  // Terminal colours would separate the words that identify a tool.
  const head = text
    .slice(0, HEAD)
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replaceAll('\r\n', '\n');
  if (head.trim() === '')
    return { what: 'an empty file', advice: 'The tool that should have written it may have failed.' };
  return PATTERNS.find(({ pattern }) => pattern.test(head)) ?? null;
}
