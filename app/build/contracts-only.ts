/**
 * Vite plugin that fails the build if more of server/ than contracts and rules would reach the browser. The router
 * keeps *.server.ts files out of the browser, but not a folder server/.
 */
import path from 'node:path';
import type { Plugin } from 'vite';
import { reachesBrowser } from '../import-layers.ts';

export function contractsOnly(): Plugin {
  const root = `${path.resolve('.')}/`;
  return {
    name: 'contracts-only',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const modules = chunk.type === 'chunk' ? chunk.moduleIds : [];
        const leaked = modules.filter(
          (id) => id.startsWith(`${root}server/`) && !reachesBrowser(id.slice(root.length)),
        );
        if (leaked.length > 0) this.error(`server code in the browser's ${chunk.fileName}: ${leaked.join(', ')}`);
      }
    },
  };
}
