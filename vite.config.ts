import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import presetEnv from 'postcss-preset-env';
import { defineConfig } from 'vite';
import { partOf } from './app/arrows.ts';
import { contractsOnly } from './app/build/contracts-only.ts';
import { islands } from './app/build/islands.ts';
import { keptChecks } from './app/build/kept-checks.ts';
import { pageStyles } from './app/build/page-styles.ts';
import { withoutWhere } from './app/build/without-where.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };

const root = `${path.resolve('.')}/`;

/** Of a module, whichever package it is of: the file within the project. */
const fileOf = (id: string) => (id.startsWith(root) ? id.slice(root.length) : '');

const isIn = (part: string) => (id: string) => partOf(fileOf(id))?.name === part;

const anyOf = (...files: string[]) => new RegExp(files.map((file) => `/${file}`).join('|'));

/** What every screen and island of React's stands on: the core of Mantine, its buttons, and what they share of ours. */
const base = anyOf(
  '@mantine/core/esm/core/(?!.*(?:use-mantine-color-scheme[.]|scoped-keydown|close-on-escape|safe-context|single-element|ref-prop|z-index|element-ancestor|DirectionProvider))',
  '@mantine/core/esm/components/(?:UnstyledButton/|Button/|Checkbox/CheckIcon|Radio/RadioIcon)',
  '@mantine/core/esm/utils/InlineInput/',
  '@mantine/hooks/esm/(?:use-id|use-merged-ref|use-isomorphic-effect|utils)/',
  'remix-utils/.*use-hydrated',
  'icons-react/dist/esm/(?:createReactComponent|defaultAttributes)[.]',
  'app/ui/(?:theme|root-data|control|row-action|use-school|empty|rich-html|mount-island|take-over)[.]tsx?$',
  'app/lib/(?:amounts|dates|composing|form-data|leaving|zoned|picked)[.]ts$',
  'app/shell/title[.]ts$',
  'app/questions/shown-texts[.]ts$',
  'server/platform/text/rules[.]ts$',
);

/** What every form is made of, and the rules of grading: an island that needs these loads no addresses and no contracts. */
const fields = anyOf(
  '@mantine/core/esm/components/(?:Alert|Input|InputBase|TextInput|Textarea)/',
  'app/ui/(?:form-state|form|draft|island|tabs|limit-hint|figures|progress|stars)[.]tsx?$',
  'app/lib/link[.]ts$',
  'app/(?:correction|homework|questions)/terms[.]ts$',
  'app/questions/difficulty[.]tsx$',
  'app/analysis/(?:terms|population)[.]tsx?$',
  'server/platform/[\\w-]+/rules[.]ts$',
  'server/(?:correction|homework|questions|exams|sessions)/rules[.]ts$',
);

/** How addresses are read, which no island does that is taken over at once. */
const reading = anyOf(
  'node_modules/valibot/',
  'app/lib/(?:address|dialog|list-view|picker-pages|screen|search|safe-redirect)[.]ts$',
  'server/platform/files/contract[.]ts$',
);

/**
 * Of a stylesheet the file that it goes into: one that is not for every page says so in its name, such as
 * `grading-desk.work.module.css`; one of a script comes with it. Scripts that stand on every page go with the common sheet.
 */
function styleChunk(id: string): string | null {
  const [isSheet, kind = 'styles'] = /(?:\.(work|posts|analysis|learn|script))?(?:\.module)?\.css$/.exec(id) ?? [];
  if (isSheet === undefined) return base.test(id) || fields.test(id) ? 'styles' : null;
  return kind === 'script' ? null : kind;
}

export default defineConfig(({ command }) => ({
  // Under a path of its own: the server looks for a page's address among these files no more.
  base: command === 'build' ? '/static/' : '/',
  plugins: [reactRouter(), contractsOnly(), keptChecks(), islands(), pageStyles()],
  // Names that say nothing: they stand in the stylesheet, in every page, and once more in what runs a script.
  css: {
    postcss: { plugins: [presetEnv(), withoutWhere] },
    modules: {
      localsConvention: 'camelCaseOnly',
      ...(command === 'build' && { generateScopedName: '[hash:base64:5]' }),
    },
  },
  build: {
    // Scripts run from Chrome 109 on, the last for Windows 7 (app/ui/able-browser.ts). Pages look right from Chromium 86 on,
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
          // One stylesheet for all screens: fetched once, in cache for every further page. What few show comes with them;
          // the grids', the charts' and the calendar's own weigh as much again, and come with their scripts only.
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /rolldown\/runtime|\/node_modules\/(react|react-dom|scheduler)\// },
                { name: 'router', test: /\/node_modules\/(react-router|@react-router|cookie|set-cookie-parser)\// },
                // On screens that run no script otherwise: nothing may come with it.
                { name: 'drafts', test: /\/app\/(ui\/(draft-store|keep-form|write-into)|lib\/new-id)\.ts$/ },
                // By dynamic imports; islands have it too, which run little else. Whether anything may run at all, what
                // closes menus, the keys for search and help, and what keeps a text that is being typed.
                {
                  name: 'preload',
                  test: /vite\/preload-helper|\/app\/ui\/(?:able-browser|menus|quick-keys|keep-areas)\./,
                },
                // With the sheet of every page. None of it may bring the router.
                { name: styleChunk },
                // What grading alone takes over, be it from its own page.
                {
                  name: 'desk',
                  test: /\/app\/(?:correction\/(?:desk\/(?!.*\.(?:island|css))|question-view\.tsx|report-frame\.tsx|matching\.tsx|finish-fields\.tsx)|ui\/keypad[\w-]*\.tsx?$)/,
                },
                // What forms are made of beside fields of text; and what checks one. Not with the shell: islands load them.
                {
                  name: 'forms',
                  test: /\/@mantine\/core\/esm\/components\/(?:Checkbox|Radio|NativeSelect)\/|\/app\/ui\/(?:form-fields|form-of|fields-of|date-field|dialog|form-messages|counted-text)\.tsx?$/,
                },
                { name: 'checks', test: /\/@mantine\/form\/|\/app\/ui\/checked\.tsx$/ },
                // Where the screens of all subjects stand, with their words and rules: a link leads anywhere.
                {
                  name: 'screens',
                  test: (id) =>
                    ['shared rules', 'addresses', 'terms'].some((part) => isIn(part)(id)) ||
                    reading.test(id) ||
                    fileOf(id) === 'app/questions/formulas.ts',
                },
                {
                  name: 'shell',
                  test: /\/app\/(?:shell\/(?!sign-in-form).*tsx?$|ui\/(hidden-fields|hydrates|screen)\.tsx?$)/,
                },
                // What opens beside a button.
                {
                  name: 'popups',
                  test: /\/@floating-ui\/|\/@mantine\/core\/esm\/components\/(?:ActionIcon|FocusTrap|FloatingArrow|Group|Menu|Popover|Portal|ScrollArea|Text|Tooltip)\//,
                },
                // The form of a question, with its formatted texts until their editor comes.
                {
                  name: 'questions',
                  test: /\/app\/questions\/(?:question-(?:page|view|form|fields|blanks|items|options|operations)|rich-(?:field|text)|static-rich|operation-button)\.tsx?$/,
                },
                // The pieces of lists.
                {
                  name: 'lists',
                  test: /\/app\/(?:ui\/(?:columns|hint|list-table|moment|figures|row-action|share-bar|tag)|questions\/(?:hinted|short)-stem)\.tsx?$/,
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
      // server/ runs from its sources: screens, API, threads and commands share one copy of it.
      build: { rolldownOptions: command === 'build' ? { external: [/^#server\//] } : {} },
    },
  },
}));
