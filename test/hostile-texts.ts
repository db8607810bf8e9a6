/** What an agent may write to trick a terminal, a table, a spreadsheet, an XML reader or a comment. */
export const HOSTILE_TEXTS: readonly string[] = [
  '\u001b[2J\u001b[H',
  '\u001b[31mred\u001b[0m',
  '\u001b\u001b[0m[31m',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://evil.example\u001b\\link',
  '\u009b31m',
  '\u0000\u0008\u007f\u0085',
  'a\r\nb\rc\nd\te\u2028f\u2029g',
  '\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c',
  '\u200b\u200c\u200d\ufeff\u2060\u00ad\u3164',
  '\u{e0041}\u{e0042}\u{e0100}',
  '\ud800 lone \udfff',
  `z${'\u0301'.repeat(50)}algo`,
  '👨‍👩‍👧 🇩🇪 ❤️ 返金 ｆｕｌｌ שלום',
  '=cmd|"/c calc"!A1',
  '@everyone #1 | a | `b` <script>&lt;',
  ']]> </failure> "\'&',
  '\ufffe\uffff',
  '__proto__',
  '',
];

/** What is difficult in a column of a database, or in the order of one. */
export const COLUMN_TEXTS: readonly string[] = [
  ...['a\0b', '\\0000', '\\', "'; DROP TABLE runs; --", '%', '_'],
  ...['Z', 'a', 'ä', '😀', '\uffee', '10', '9'],
];
