// Loaded before a program, adds one migration: the next version of the product.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/schema/migrate.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace("'./migrations'", "'../../test/support/next-version'") };
  },
});
