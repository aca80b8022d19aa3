import { islandFiles } from 'virtual:islands';
import type { RootData } from './root-data.ts';

/**
 * Loads the 2 KB of keys that every page of a signed-in person has, unless an island above brings them. Drawn by the server
 * alone.
 */
export function PageKeys({ root: { nonce, hasIsland } }: { root: RootData }) {
  const { modules = [], scripts = [] } = islandFiles['page-keys.island'] ?? {};
  if (hasIsland) return null;
  return (
    <>
      {modules.map((href) => (
        <link key={href} rel="modulepreload" href={href} nonce={nonce} fetchPriority="low" />
      ))}
      {scripts.map((src) => (
        <script key={src} type="module" src={src} nonce={nonce} fetchPriority="low" data-page-keys="" />
      ))}
    </>
  );
}
