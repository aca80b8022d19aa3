/**
 * Lists which part of the code may import which other parts, server/ included. A file belongs to the first part whose
 * pattern matches. test/lib/import-layers.test.ts checks every import. This file is in app/ because the browser build reads it
 * to keep server/ out of the browser.
 */
interface Part {
  name: string;
  files: RegExp;
  imports: readonly string[];
}

const shared = [
  'platform rules',
  'shared rules',
  'shared machinery',
  'shared subjects',
  'shared drawing',
  'shared formulas',
];
const server = [...shared, 'machinery', 'subjects'];
/** The parts with a subject's screen addresses and texts. Other subjects may import both. */
const addressesAndTerms = ['addresses', 'terms'];

export const layers: readonly Part[] = [
  // Parts that screens and API share, so they are bundled for the browser: rules (which import only other rules),
  // calls, and form schemas. Rules of the platform import nothing else.
  { name: 'platform rules', files: /^server\/platform\/[\w-]+\/rules\.ts$/, imports: [] },
  { name: 'shared rules', files: /^server\/[\w-]+\/(?:[\w-]+\.)?rules\.ts$/, imports: ['platform rules'] },
  {
    name: 'shared machinery',
    files: /^server\/platform\/(?:calls\/(?:call|fields)|[\w-]+\/contract)\.ts$/,
    imports: ['platform rules'],
  },
  {
    name: 'shared subjects',
    files: /^server\/[\w-]+\/(?:[\w-]+\.)?contract\.ts$|^server\/school\/call\.ts$/,
    imports: ['platform rules', 'shared rules', 'shared machinery'],
  },
  // Lines of a matching question, drawn by the same code on screen and in print.
  { name: 'shared drawing', files: /^server\/exams\/matching-lines\.ts$/, imports: [] },
  // Editor and API convert formulas of other programs by the same code.
  {
    name: 'shared formulas',
    files: /^server\/platform\/text\/(?:foreign-formulas|latex|latex-signs|mathml|omml)\.ts$/,
    imports: ['platform rules'],
  },
  // Screens and API parse forms with files by the same code, on the server.
  { name: 'form reader', files: /^server\/platform\/files\/multipart\.ts$/, imports: [] },

  {
    name: 'machinery',
    files: /^server\/platform\//,
    imports: ['platform rules', 'shared machinery', 'shared formulas', 'form reader'],
  },
  { name: 'demo', files: /^server\/demo\//, imports: server },
  // A subject may import another subject's contract, queries and rules, but never its handlers.
  { name: 'handlers', files: /^server\/[\w-]+\/(?:api|actions|[\w-]+-export)\.ts$/, imports: server },
  { name: 'subjects', files: /^server\/[\w-]+\//, imports: server },
  { name: 'server', files: /^server\/[\w-]+\.(?:ts|mjs)$/, imports: [...server, 'handlers', 'demo'] },

  { name: 'lib', files: /^app\/lib\//, imports: shared },
  { name: 'addresses', files: /^app\/[\w-]+\/screens\.ts$/, imports: [...shared, 'lib', ...addressesAndTerms] },
  { name: 'terms', files: /^app\/[\w-]+\/terms\.ts$/, imports: [...shared, 'lib', ...addressesAndTerms] },
  // Code of ui/ runs on the server and inside islands, so it never imports the router.
  { name: 'ui client', files: /^app\/ui\/client\//, imports: [...shared, 'lib', 'ui'] },
  { name: 'ui', files: /^app\/ui\//, imports: [...shared, 'lib', 'ui client'] },
  {
    name: 'api',
    files: /^app\/api\//,
    imports: [...server, 'server', 'demo', 'lib', ...addressesAndTerms],
  },
  { name: 'build', files: /^app\/build\//, imports: ['app'] },
  {
    name: 'shell',
    files: /^app\/shell\//,
    imports: [...shared, 'form reader', 'lib', ...addressesAndTerms, 'ui', 'ui client', 'api'],
  },
  {
    name: 'screens',
    files: /^app\/[\w-]+\//,
    imports: [...shared, 'form reader', 'lib', ...addressesAndTerms, 'ui', 'ui client', 'api', 'shell'],
  },
  {
    name: 'app',
    files: /^app\/[\w.-]+$/,
    imports: [...shared, 'lib', ...addressesAndTerms, 'ui', 'ui client', 'api', 'shell', 'screens', 'build'],
  },
];

export const layerOf = (file: string): Part | undefined => layers.find(({ files }) => files.test(file));

/** True if a file of server/ may be bundled for the browser. */
export const reachesBrowser = (file: string): boolean => shared.includes(layerOf(file)?.name ?? '');
