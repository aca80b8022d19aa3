/** Loaded before a measured command: prints the command's resource usage to stderr when it ends. */
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  // This process alone: the system's value includes what the parent had.
  const most = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  writeSync(
    2,
    `\nused ${JSON.stringify({ seconds: (user + system) / 1e6, megabytes: Math.round(Number(most) / 1024) })}\n`,
  );
});
