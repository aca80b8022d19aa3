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
/** Keys and the loader of islands, which every page has. */
const isOfEveryPage = (id: string) => id.includes('/app/ui/client/keys/') || id.includes('vite/preload-helper');

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
                { name: 'every-page', test: isOfEveryPage },
                // For forms without islands, which load no React.
                { name: 'drafts', test: (id) => id.includes('/app/ui/client/drafts/') },
                // Mostly React and Mantine.
                { name: 'shared', test: isScript, minShareCount: 5 },
                // What fewer islands share, one chunk for each set of islands. Chunks below 6,000 bytes are merged.
                {
                  name: 'some',
                  test: isScript,
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 6000,
                },
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
