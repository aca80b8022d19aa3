/** Loaded before a measured server: it says how much processor time it has used, finer than the ticks that /proc counts in. */
process.on('message', () => process.send?.(process.cpuUsage()));
// Listening alone keeps no process from its end.
process.channel?.unref();
