import { islandFiles } from 'virtual:islands';

/** Loads the 2 KB of keys that every page of a signed-in person has. Drawn by the server alone. */
export function PageKeys({ nonce }: { nonce: string }) {
  const { modules = [], scripts = [] } = islandFiles['page-keys.island'] ?? {};
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
