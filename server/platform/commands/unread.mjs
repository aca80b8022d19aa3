// What packages bring and nothing here reads: 140 MB of an installation to develop in, 171 MB of one to serve with.
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

/** Packages that serve may check types with it where it is; here it is for development. */
export const unreadToServe = [
  'node_modules/typescript',
  'node_modules/@typescript',
  ...inOtherForms.flatMap((name) =>
    ['esm', 'esnext'].map((form) => `node_modules/@opentelemetry/${name}/build/${form}`),
  ),
];
