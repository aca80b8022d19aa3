import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';
import { partOf, reachesBrowser } from './app/arrows.ts';
import { slimGrid } from './app/ui/grid-parts.vite.ts';
import { islands } from './app/ui/islands.vite.ts';
import { slimManifest } from './app/ui/manifest.vite.ts';
import { slimMantine } from './app/ui/mantine-css.vite.ts';
import { quickMantine, slimMantineParts } from './app/ui/mantine-parts.vite.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };

const root = `${path.resolve('.')}/`;

/** Of a module, whichever package it is of: the file within the project. */
const fileOf = (id: string) => (id.startsWith(root) ? id.slice(root.length) : '');

const isIn = (part: string) => (id: string) => partOf(fileOf(id))?.name === part;

/**
 * The router keeps *.server.ts files out of the browser, but not a folder named server/. Anything of
 * that folder beyond contracts and rules stops the build.
 */
function contractsOnly(): Plugin {
  return {
    name: 'contracts-only',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const modules = chunk.type === 'chunk' ? chunk.moduleIds : [];
        const leaked = modules.map(fileOf).filter((file) => file.startsWith('server/') && !reachesBrowser(file));
        if (leaked.length > 0) this.error(`server code in the browser's ${chunk.fileName}: ${leaked.join(', ')}`);
      }
    },
  };
}

/** Alike for browser and server, which are built one after the other by this process. */
const shortNames = new Map<string, string>();
function shortName(name: string, file: string): string {
  const full = `${file} ${name}`;
  const short = shortNames.get(full) ?? `_${shortNames.size.toString(36)}`;
  shortNames.set(full, short);
  return short;
}

export default defineConfig(({ command }) => ({
  // Under a path of its own: the server looks for a page's address among these files no more.
  base: command === 'build' ? '/static/' : '/',
  plugins: [
    reactRouter(),
    contractsOnly(),
    islands(),
    slimGrid(),
    slimMantine(),
    slimMantineParts(),
    quickMantine(),
    slimManifest(),
  ],
  // Names that say nothing: they stand in the stylesheet, in every page, and once more in what runs a script.
  css: {
    modules: {
      localsConvention: 'camelCaseOnly',
      ...(command === 'build' && { generateScopedName: shortName }),
    },
  },
  build: {
    // The floor is Chrome 109, the last for Windows 7: newer CSS is compiled away.
    target: 'chrome109',
    cssTarget: 'chrome109',
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // A spread or a destructuring that nothing uses goes too: contracts build their schemas with them.
          treeshake: { propertyReadSideEffects: false },
          // One stylesheet for all screens: fetched once, in cache for every further page. What few show comes with them;
          // the grids', the charts' and the calendar's own weigh as much again, and come with their scripts only.
          output: {
            codeSplitting: {
              groups: [
                // What only the screens of grading, publishing, writing questions and papers show, and those of posts:
                // in sheets of their own.
                {
                  name: 'work',
                  test: /\/app\/(?:correction\/|homework\/publish\/|exams\/(?:preview|approve)|questions\/(?:question-|rich-|import)|ui\/keypad).*\.css$/,
                },
                { name: 'posts', test: /\/app\/(?:community\/post|group-classes\/attendance-grid).*\.css$/ },
                {
                  name: 'styles',
                  test: /^(?!.*(?:app\/ui\/(?:grid-table|chart|date-calendar)\.css)).*\.css$/,
                },
                // What every page with a script needs comes in two files: forty small ones would wait for each other
                // on a slow line.
                { name: 'react', test: /rolldown\/runtime|\/node_modules\/(react|react-dom|scheduler)\// },
                { name: 'router', test: /\/node_modules\/(react-router|@react-router|cookie|set-cookie-parser)\// },
                // On screens that run no script otherwise: nothing may come with it.
                { name: 'drafts', test: /\/app\/(ui\/(draft-store|keep-form|write-into)|lib\/new-id)\.ts$/ },
                // What every component of Mantine stands on, islands' and the shell's alike; and the shell's own.
                {
                  name: 'mantine',
                  test: /\/node_modules\/@mantine\/(?:core\/esm\/core|hooks\/esm\/(?:use-id|use-merged-ref|use-isomorphic-effect|utils))\//,
                },
                {
                  name: 'controls',
                  test: /\/node_modules\/@mantine\/core\/esm\/components\/(?:UnstyledButton|Transition|Button|Loader|Alert|CloseButton)\/|\/node_modules\/@mantine\/hooks\/esm\/(?:use-did-update|use-reduced-motion|use-media-query|use-callback-ref)\/|\/app\/ui\/native-look\.ts$/,
                },
                // By dynamic imports; islands have it too, which run little else.
                { name: 'preload', test: /vite\/preload-helper/ },
                // What islands share with the shell: they run without a router, and must not bring it with them.
                {
                  name: 'basics',
                  test: /\/app\/(ui\/(?:theme|form-state)|lib\/(?:amounts|dates|composing|form-data)|ui\/(?:empty|rich-html)|analysis\/population)\.tsx?$|\/remix-utils\/.*use-hydrated|\/server\/platform\/text\/rules\.ts$|\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)\./,
                },
                { name: 'rules', test: (id) => isIn('platform rules')(id) || isIn('shared rules')(id) },
                // Where the screens of all subjects stand: a link leads anywhere.
                {
                  name: 'screens',
                  test: (id) =>
                    isIn('addresses')(id) ||
                    /^app\/lib\/(?:address|dialog|list-view|picker-pages|screen|search)\.ts$/.test(fileOf(id)),
                },
                {
                  name: 'shell',
                  test: /\/app\/(?:shell\/(?!sign-in-form)|lib\/zoned\.).*tsx?$|\/app\/ui\/(dialog|hidden-fields|hydrates|root-data|screen|stars|tabs|use-school)\.tsx?$|\/app\/correction\/terms\.ts$|\/app\/questions\/(?:formulas|terms)\.ts$/,
                },
                // What a file of its own would weigh less than its request: fields of text, the marks of boxes, what opens
                // beside a button, the pieces of lists, the pieces of an answer.
                { name: 'input', test: /\/@mantine\/core\/esm\/components\/Input\// },
                { name: 'texts', test: /\/@mantine\/core\/esm\/components\/(?:InputBase|TextInput|Textarea)\// },
                {
                  name: 'marks',
                  test: /\/@mantine\/core\/esm\/(?:components\/(?:Checkbox\/CheckIcon|Radio\/RadioIcon)\.|utils\/InlineInput\/)/,
                },
                {
                  name: 'popups',
                  test: /\/@floating-ui\/|\/@mantine\/core\/esm\/components\/(?:ActionIcon|FocusTrap|FloatingArrow|Group|Menu|Popover|Portal|ScrollArea|Text|Tooltip)\//,
                },
                { name: 'checks', test: /\/@mantine\/form\/|\/app\/ui\/form-messages\.ts$/ },
                {
                  name: 'answers',
                  test: /\/app\/correction\/(?:question-view|matching|report-frame|desk\/answer-card)\.tsx$/,
                },
                {
                  name: 'lists',
                  test: /\/app\/(?:ui\/(?:columns|hint|list-table|figures|row-action|share-bar|tag)|questions\/(?:hinted|short)-stem)\.tsx?$/,
                },
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
      build: {
        // server/ runs from its source: one copy of it serves the screens, the commands and the workers.
        rolldownOptions: command === 'build' ? { input: './app/serve.ts', external: [/^#server\//] } : {},
      },
    },
  },
}));
