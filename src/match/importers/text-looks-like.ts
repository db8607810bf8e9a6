/** What a text that is not JSON seems to be, and what to do instead. */
interface Likeness {
  what: string;
  advice: string;
}

const HEAD = 20_000;

interface Sign extends Likeness {
  sign: RegExp;
}

const FINDINGS_OF = 'Give the findings as JSON or SARIF.';

/** In the order in which they are tried: reports quote code and tables, so tools come before languages. */
const SIGNS: readonly Sign[] = [
  { sign: /^\u001f(?:\ufffd|\u008b)/, what: 'a gzip archive', advice: 'Unpack it first.' },
  { sign: /^PK\u0003\u0004/, what: 'a zip archive', advice: 'Unpack it and give the report inside.' },
  {
    sign: /^(?:[\ufeff\ufffe]|\ufffd\ufffd)?(?:[^\0]\0|\0[^\0]){2}/,
    what: 'UTF-16 text, as PowerShell writes with ">"',
    advice: 'Save it as UTF-8 (PowerShell: "| Out-File -Encoding utf8").',
  },
  { sign: /\0/, what: 'binary data', advice: FINDINGS_OF },
  { sign: /^\s*<(?:!doctype html|html[\s>])/i, what: 'HTML', advice: FINDINGS_OF },
  {
    sign: /^\s*<[\s\S]{0,300}<?testsuites?[\s>]/,
    what: 'a JUnit report',
    advice: 'Have the scanner write JSON or SARIF instead.',
  },
  { sign: /^\s*<\??[a-z]/i, what: 'XML', advice: FINDINGS_OF },
  {
    sign: /^Passed checks: \d+, Failed checks: \d+|^Check: CKV\w*_|bridgecrew\.io \| version/im,
    what: "Checkov's console output",
    advice: 'Run it with -o json.',
  },
  {
    sign: /^Tests: \d+ \(SUCCESSES: \d+|^Failures: \d+ \([A-Z]+: \d+|^\S{1,300} \((?:terraform|cloudformation|dockerfile|kubernetes|helm)\)\s*\n[=-]{3}/m,
    what: "Trivy's console output",
    advice: 'Run it with --format json.',
  },
  {
    sign: /Keeping Infrastructure as Code Secure|^Results Summary:\s*$|^Preparing Scan Assets/m,
    what: "KICS's console output",
    advice: 'Run it with --report-formats json --output-path DIR and give the results.json there.',
  },
  {
    sign: /^\s*Result #\d+ [A-Z]+ |tfsec is joining the Trivy family/m,
    what: "tfsec's console output",
    advice: 'Run it with --format json.',
  },
  { sign: /^Violation Details -/m, what: "Terrascan's console output", advice: 'Run it with -o json.' },
  { sign: /^Snyk Infrastructure as Code/m, what: "Snyk's console output", advice: 'Run it with --json.' },
  {
    sign: /^\S{1,300} Status = (?:FAIL|PASS|SKIP)/m,
    what: "cfn-guard's console output",
    advice: 'Run it with --structured --output-format json --show-summary none.',
  },
  {
    sign: /^.{0,20}\d+ Code Findings?\b|^Ran \d+ rules? on \d+ files?/m,
    what: "Semgrep's console output",
    advice: 'Run it with --json.',
  },
  {
    sign: /^(?:AWSTemplateFormatVersion|Resources):/m,
    what: 'a CloudFormation template',
    advice: 'That is what is scanned: give the findings about it.',
  },
  {
    sign: /^(?:resource|data|module|variable|provider|output|terraform|locals)\b[^\n{=]{0,300}\{/m,
    what: 'Terraform code',
    advice: 'That is what is scanned: give the findings about it.',
  },
  {
    sign: /^[^\n{[,]{1,200},[^\n,{[]{1,200},[^\n{[]{0,2000}\n[^\n,]{0,200},[^\n,]{0,200},/,
    what: 'CSV',
    advice: FINDINGS_OF,
  },
  {
    sign: /^(?:---\s*\n|#[^\n]{0,200}\n){0,20}(?:---\s*\n|- )?["']?[\w-]{1,100}["']?:(?: |\n)/,
    what: 'YAML',
    advice: 'Write the same as JSON.',
  },
  { sign: /^#{1,6} /m, what: 'Markdown', advice: FINDINGS_OF },
];

/** What a text seems to be: only its beginning is looked at. Null when it could be anything. */
export function textLooksLike(text: string): Likeness | null {
  // Colours of a terminal stand between the words that give a tool away.
  const head = text
    .slice(0, HEAD)
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replaceAll('\r\n', '\n');
  if (head.trim() === '')
    return { what: 'an empty file', advice: 'The tool that should have written it may have failed.' };
  return SIGNS.find(({ sign }) => sign.test(head)) ?? null;
}
