/**
 * The router's list of all routes comes to every page that runs a script. It says of each route what its script would
 * load besides, to be fetched ahead, and what the route does not have: nothing is fetched ahead here, and what is not
 * said is not there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const client = 'build/client';
const start = 'window.__reactRouterManifest=';

type Route = Record<string, unknown>;

const saysNothing = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

const slim = (route: Route): Route =>
  Object.fromEntries(Object.entries(route).filter(([name, value]) => name !== 'imports' && !saysNothing(value)));

export const slimManifest = (): Plugin => ({
  name: 'slim-manifest',
  apply: 'build',
  // The router writes it while the server is built.
  closeBundle() {
    if (this.environment.name !== 'ssr') return;
    const folder = path.join(client, 'assets');
    for (const name of readdirSync(folder).filter((file) => /^manifest-.*\.js$/.test(file))) {
      const file = path.join(folder, name);
      const text = readFileSync(file, 'utf8');
      const manifest: { routes: Record<string, Route> } = JSON.parse(text.slice(start.length).replace(/;\s*$/, ''));
      const routes = Object.fromEntries(Object.entries(manifest.routes).map(([id, route]) => [id, slim(route)]));
      writeFileSync(file, `${start}${JSON.stringify({ ...manifest, routes })};`);
    }
  },
});
