// Simulates the next version of the product. Preloaded into a program, it adds one migration.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/schema/migrate.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace("'./migrations'", "'../../test/support/next-version'") };
  },
});
