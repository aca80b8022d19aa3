import { readFileSync } from 'node:fs';
import { reactRouter } from '@react-router/dev/vite';
import presetEnv from 'postcss-preset-env';
import { defineConfig } from 'vite';
import { contractsOnly } from './app/build/contracts-only.ts';
import { islands } from './app/build/islands.ts';
import { pageStyles } from './app/build/page-styles.ts';
import { removeWhere } from './app/build/remove-where.ts';
import { throwingGlobals } from './app/build/throwing-globals.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };

/**
 * Of a stylesheet the file that it goes into: one that is not for every page says so in its name, such as
 * `grading-desk.work.module.css`; one of a script comes with it.
 */
function styleChunk(id: string): string | null {
  const [isSheet, kind = 'styles'] = /(?:\.(work|posts|analysis|learn|script))?(?:\.module)?\.css$/.exec(id) ?? [];
  return isSheet === undefined || kind === 'script' ? null : kind;
}

const isScript = (id: string) => !id.endsWith('.css');
const isOwn = (id: string) => isScript(id) && /\/app\/(?:ui\/(?!client\/)|questions\/|[\w-]+\/terms\.ts$)/.test(id);
/** Pieces, helpers and rules; the grid's table and the checks bring a library along. */
const isSmall = (id: string) => isScript(id) && /\/app\/(?:lib\/|ui\/(?!client\/(?:grid|check)))|\/rules\.ts$/.test(id);

export default defineConfig(({ command }) => ({
  // Under a path of its own: the server looks for a page's address among these files no more.
  base: command === 'build' ? '/static/' : '/',
  plugins: [reactRouter(), contractsOnly(), throwingGlobals(), islands(), pageStyles()],
  // Names that say nothing: they stand in the stylesheet, in every page, and once more in what runs a script.
  css: {
    postcss: { plugins: [presetEnv(), removeWhere] },
    modules: {
      localsConvention: 'camelCaseOnly',
      ...(command === 'build' && { generateScopedName: '[hash:base64:5]' }),
    },
  },
  build: {
    // Scripts run from Chrome 109 on, the last for Windows 7 (able-browser.ts). Pages look right from Chromium 86 on,
    // which is inside of browsers that schools have: newer CSS is compiled away by the PostCSS plugins.
    target: 'chrome109',
    cssTarget: 'chrome86',
    assetsInlineLimit: 0,
    // A server that runs goes on sending what its pages name (keepFormer in server/platform/commands/setup.mjs).
    emptyOutDir: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // A spread or a destructuring that nothing uses goes too: contracts build their schemas with them.
          treeshake: { propertyReadSideEffects: false },
          output: {
            codeSplitting: {
              // The first group that matches a file takes it, with its imports. Without groups an island loads some fifty files.
              groups: [
                { name: styleChunk },
                { name: 'keys', test: /\/app\/ui\/client\/keys\/|vite\/preload-helper/ },
                { name: 'drafts', test: /\/app\/ui\/client\/drafts\// },
                // Mostly React and Mantine; then what fewer islands share of ours, without what only grids and charts load.
                { name: 'shared', test: isScript, minShareCount: 5 },
                { name: 'own', test: isOwn, minShareCount: 3 },
                { name: 'small', test: isSmall, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Bundled, so that the server loads the icons and components in use and not the whole libraries, 70 MB less; what
      // the server itself runs with is not, one copy of it serves screens and API.
      resolve: command === 'build' ? { noExternal: true, external: Object.keys(dependencies) } : {},
      // server/ runs from its sources: screens, API, threads and commands share one copy of it.
      build: { rolldownOptions: command === 'build' ? { external: [/^#server\//] } : {} },
    },
  },
}));
