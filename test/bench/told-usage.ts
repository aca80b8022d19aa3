/** Loaded before a measured command: at its end it says on the error channel what it has used. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  // Kilobytes.
  const { maxRSS } = process.resourceUsage();
  writeSync(2, `\nused ${JSON.stringify({ seconds: (user + system) / 1e6, megabytes: Math.round(maxRSS / 1024) })}\n`);
});
