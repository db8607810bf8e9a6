import { writeFileSync } from 'node:fs';

// Loaded before the program under measurement: what it took at the most, in kilobytes, is known only at its end.
process.on('exit', () => {
  const file = process.env.SALVO_BENCH_PEAK_FILE;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS));
});
