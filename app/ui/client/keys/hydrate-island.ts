import './menus.ts';
import './quick-keys.ts';
import type { ComponentType } from 'react';
import { isAbleBrowser } from './able-browser.ts';

/** That somebody is about to use the page. */
const signsOfUse = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/**
 * Takes an island over (hydrated.tsx) once the page is used. Where its files do not come, or the browser is too old for
 * them, the page stays what it is without client JS.
 */
export function hydrateIsland<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): void {
  const begin = async () => {
    for (const sign of signsOfUse) document.removeEventListener(sign, begin);
    const loaded = await Promise.all([import('../hydrate-drawn.tsx'), load()]).catch(() => undefined);
    if (loaded) loaded[0].hydrateDrawn(name, loaded[1]);
  };
  if (isAbleBrowser()) for (const sign of signsOfUse) document.addEventListener(sign, begin);
}
