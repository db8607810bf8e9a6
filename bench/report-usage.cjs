const { writeFileSync } = require('node:fs');

// Loaded before the program under measurement: what it used is known only at its end. CommonJS, so that it counts for
// little itself: Node's type stripper takes 19 MB, and loading a module before the program 3 MB.
const SAMPLE_MS = 2000;
const file = process.env.SALVO_BENCH_USAGE_FILE;
const { gc } = globalThis;
let liveBytes = Number.NaN;

function sampleHeap() {
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
