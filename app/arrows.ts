/**
 * Which way imports run: the parts of the house, server/ included, and what each may import beside itself. The first part
 * whose pattern fits a file is the file's. test/lib/arrows.test.ts holds every import to it. It
 * stands in app/ because the screens' build reads it: nothing of server/ but the shared parts reaches the browser.
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
/** Where the screens of a subject stand, and its words: any other subject may lead there and say them. */
const named = ['addresses', 'terms'];

export const parts: readonly Part[] = [
  // What screens and API share: the rules, which know other rules and nothing else, what a call is and what a form may
  // hold. It reaches the browser. The machinery knows its own alone.
  { name: 'platform rules', files: /^server\/platform\/[\w-]+\/rules\.ts$/, imports: [] },
  { name: 'shared rules', files: /^server\/[\w-]+\/rules\.ts$/, imports: ['platform rules'] },
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
  // The lines of a matching question, drawn alike on screen and in print.
  { name: 'shared drawing', files: /^server\/exams\/matching-lines\.ts$/, imports: [] },
  // The editor and the API convert foreign formulas alike.
  {
    name: 'shared formulas',
    files: /^server\/platform\/text\/(?:foreign-formulas|latex)\.ts$/,
    imports: ['platform rules'],
  },
  // A form with files is read alike by screens and API, on the server.
  { name: 'form reader', files: /^server\/platform\/files\/multipart\.ts$/, imports: [] },

  {
    name: 'machinery',
    files: /^server\/platform\//,
    imports: ['platform rules', 'shared machinery', 'shared formulas', 'form reader'],
  },
  { name: 'demo', files: /^server\/demo\//, imports: server },
  // A subject reaches another through its contract, what it shows and its rules, never through its handlers.
  { name: 'handlers', files: /^server\/[\w-]+\/(?:api|actions|[\w-]+-export)\.ts$/, imports: server },
  { name: 'subjects', files: /^server\/[\w-]+\//, imports: server },
  { name: 'server', files: /^server\/[\w-]+\.(?:ts|mjs)$/, imports: [...server, 'handlers', 'demo'] },

  { name: 'lib', files: /^app\/lib\//, imports: shared },
  { name: 'addresses', files: /^app\/[\w-]+\/screens\.ts$/, imports: [...shared, 'lib', ...named] },
  { name: 'terms', files: /^app\/[\w-]+\/terms\.ts$/, imports: [...shared, 'lib', ...named] },
  // What runs in the browser never imports the router; the pieces of ui/ draw on the server, and inside islands.
  { name: 'ui client', files: /^app\/ui\/client\//, imports: [...shared, 'lib', 'ui'] },
  { name: 'ui', files: /^app\/ui\//, imports: [...shared, 'lib', 'ui client'] },
  {
    name: 'api',
    files: /^app\/api\//,
    imports: [...server, 'server', 'demo', 'lib', ...named],
  },
  { name: 'build', files: /^app\/build\//, imports: ['app'] },
  {
    name: 'shell',
    files: /^app\/shell\//,
    imports: [...shared, 'form reader', 'lib', ...named, 'ui', 'ui client', 'api'],
  },
  {
    name: 'screens',
    files: /^app\/[\w-]+\//,
    imports: [...shared, 'form reader', 'lib', ...named, 'ui', 'ui client', 'api', 'shell'],
  },
  {
    name: 'app',
    files: /^app\/[\w.-]+$/,
    imports: [...shared, 'lib', ...named, 'ui', 'ui client', 'api', 'shell', 'screens', 'build'],
  },
];

export const partOf = (file: string): Part | undefined => parts.find(({ files }) => files.test(file));

/** What of server/ may be bundled for the browser. */
export const reachesBrowser = (file: string): boolean => shared.includes(partOf(file)?.name ?? '');
