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
 * Chunk of a stylesheet: one that is not for every page names its group, such as `grading-desk.work.module.css`; one of
 * a script is loaded with it.
 */
function styleChunk(id: string): string | null {
  const [isSheet, kind = 'styles'] = /(?:\.(work|posts|analysis|learn|script))?(?:\.module)?\.css$/.exec(id) ?? [];
  return isSheet === undefined || kind === 'script' ? null : kind;
}

const isScript = (id: string) => !id.endsWith('.css');
const isOwn = (id: string) => isScript(id) && /\/app\/(?:ui\/(?!client\/)|questions\/|[\w-]+\/terms\.ts$)/.test(id);
/** Small UI pieces, helpers and rules. The grid and form checks are excluded, because they pull in a library; few pages
 * edit photographs. */
const isSmall = (id: string) =>
  isScript(id) && /\/app\/(?:lib\/|ui\/(?!client\/(?:grid|validat|photo)))|\/rules\.ts$/.test(id);

export default defineConfig(({ command }) => ({
  // Own path, so that the server does not look for page addresses among these files.
  base: command === 'build' ? '/static/' : '/',
  plugins: [reactRouter(), contractsOnly(), throwingGlobals(), islands(), pageStyles()],
  // Short class names: they occur in the stylesheet, in every page, and in scripts.
  css: {
    postcss: { plugins: [presetEnv(), removeWhere] },
    modules: {
      localsConvention: 'camelCaseOnly',
      ...(command === 'build' && { generateScopedName: '[hash:base64:5]' }),
    },
  },
  build: {
    // Scripts need Chrome 109, the last for Windows 7 (supported-browser.ts). Styles work from Chromium 86 on, the base of
    // browsers that schools have; PostCSS plugins compile newer CSS away.
    target: 'chrome109',
    cssTarget: 'chrome86',
    assetsInlineLimit: 0,
    // A running server still serves files of the previous build (keepPreviousBuild in server/platform/commands/setup.mjs).
    emptyOutDir: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Also removes unused spreads and destructurings, which contracts use to build their schemas.
          treeshake: { propertyReadSideEffects: false },
          output: {
            codeSplitting: {
              // The first matching group takes a file with its imports. Without groups an island would load some fifty
              // files.
              groups: [
                { name: styleChunk },
                { name: 'keys', test: /\/app\/ui\/client\/keys\/|vite\/preload-helper/ },
                { name: 'drafts', test: /\/app\/ui\/client\/drafts\// },
                // `shared` is mostly React and Mantine; the others hold our code that fewer islands share, without what
                // only grids and charts need.
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
      // Bundles icons and components for the server, which then loads only those in use (70 MB less). Runtime
      // dependencies stay external, so that screens and API share one copy.
      resolve: command === 'build' ? { noExternal: true, external: Object.keys(dependencies) } : {},
      // server/ is not bundled: screens, API, threads and commands run the same sources.
      build: { rolldownOptions: command === 'build' ? { external: [/^#server\//] } : {} },
    },
  },
}));
