// Simulates a broken version of the product. Preloaded into a program, it makes the homework list select a column that
// does not exist.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/homework/list.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replaceAll("'homework.ending_time'", "'homework.ended_on'") };
  },
});
