/**
 * A part of a page that client JS mounts, while the page itself runs none. For charts and grids, which need a script.
 * Without client JS, and until it runs, the fallback is shown.
 *
 * `name` is the name of an `*.island.tsx`, which mounts itself (mount-island.tsx). `props` are sent to the browser as
 * JSON.
 */
import { islandFiles } from 'virtual:islands';
import type { ReactNode } from 'react';
import { useRootData } from './root-data.ts';

interface IslandProps<Props> {
  name: string;
  props: Props;
  className?: string | undefined;
  fallback: ReactNode;
}

export function Island<Props>({ name, props, className, fallback }: IslandProps<Props>) {
  const root = useRootData();
  if (root) root.hasIsland = true;
  const nonce = root?.nonce;
  const files = islandFiles[name];
  if (!files) throw new Error(`no island ${name}`);
  const json = JSON.stringify(props).replaceAll('<', '\\u003c');
  return (
    <>
      {files.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="island" />
      ))}
      <div data-island={name} className={className}>
        {fallback}
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot end its element. */}
      <script type="application/json" data-props={name} dangerouslySetInnerHTML={{ __html: json }} />
      {/* Low priority: the scripts load after the style sheets, so that the page can be read first. */}
      {files.modules.map((href) => (
        <link key={href} rel="modulepreload" href={href} nonce={nonce} fetchPriority="low" />
      ))}
      {files.scripts.map((src) => (
        <script key={src} type="module" src={src} nonce={nonce} fetchPriority="low" />
      ))}
    </>
  );
}
