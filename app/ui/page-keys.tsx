import { islandFiles } from 'virtual:islands';
import type { RootData } from './root-data.ts';

/**
 * Loads the global shortcuts (2 KB) for signed-in users, unless an island on the page loads them. Rendered only on the
 * server.
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
