import { writeFileSync } from 'node:fs';

// Loaded before the program under measurement: what it used is known only at its end.
const SAMPLE_MS = 2000;
const file = process.env.SALVO_BENCH_USAGE_FILE;
const { gc } = globalThis;
let liveBytes = Number.NaN;

function sampleHeap(): void {
  if (!gc) return;
  gc();
  liveBytes = Math.max(liveBytes || 0, process.memoryUsage().heapUsed);
}

if (file) {
  setInterval(sampleHeap, SAMPLE_MS).unref();
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    sampleHeap();
    writeFileSync(
      file,
      JSON.stringify({
        peakMegabytes: maxRSS / 1024,
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        liveMegabytes: liveBytes / 2 ** 20,
      }),
    );
  });
}
