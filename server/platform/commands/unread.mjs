// What packages bring and nothing here reads: 140 MB of an installation to develop in, 225 MB of one to serve with.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const fonts = 'node_modules/@expo-google-fonts/noto-sans-sc';
/** Papers are set in these (server/platform/pdf/typeset.ts). */
const weights = ['400Regular', '700Bold'];

/** @param {string} root @returns {string[]} paths within the project */
export function unreadFiles(root) {
  const all = existsSync(join(root, fonts)) ? readdirSync(join(root, fonts)) : [];
  const others = all.filter((name) => /^\d/.test(name) && !weights.includes(name));
  // The headers of the runtime, and the copy that its set-up leaves beside the one that runs.
  return ['node_modules/node/node_modules', ...others.map((name) => `${fonts}/${name}`)];
}

/** Of these each brings itself in three forms: Node reads the third. */
const inOtherForms = [
  'api',
  'api-logs',
  'core',
  'exporter-trace-otlp-http',
  'otlp-exporter-base',
  'otlp-transformer',
  'resources',
  'sdk-logs',
  'sdk-metrics',
  'sdk-trace',
  'sdk-trace-base',
];
const conventions = 'node_modules/@opentelemetry/semantic-conventions/dist';

/**
 * Packages that serve may check types with TypeScript where it is; here it is for development. Nor are forms read that are
 * for others than Node, and what packages bring of their own development.
 *
 * @param {string} root @returns {string[]} paths within the project
 */
export function unreadToServe(root) {
  const inForms = existsSync(join(root, conventions)) ? readdirSync(join(root, conventions)) : [];
  return [
    'node_modules/typescript',
    'node_modules/@typescript',
    ...inOtherForms.flatMap((name) =>
      ['esm', 'esnext'].map((form) => `node_modules/@opentelemetry/${name}/build/${form}`),
    ),
    ...inForms.filter((name) => /\.(?:cts|mjs)$/.test(name)).map((name) => `${conventions}/${name}`),
    ...['dist', 'examples', 'test'].map((folder) => `node_modules/bintrees/${folder}`),
    ...notesIn(root),
  ];
}

/** For those who write programs, and for their tools: the types of packages, and where their code came from. 29 MB. */
function notesIn(/** @type {string} */ root) {
  const packages = join(root, 'node_modules');
  if (!existsSync(packages)) return [];
  return readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:d\.[cm]?ts|map)$/.test(name) && !name.startsWith('node/'))
    .map((name) => `node_modules/${name}`);
}
