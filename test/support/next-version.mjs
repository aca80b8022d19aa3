// Loaded before a program, makes the version after this one of it, which has one migration more.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/schema/migrate.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace("'./migrations'", "'../../test/support/next-version'") };
  },
});
