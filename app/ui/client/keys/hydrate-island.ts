import './menus.ts';
import './quick-keys.ts';
import type { ComponentType } from 'react';
import { isSupportedBrowser } from './supported-browser.ts';

/** Events that show that the user is about to use the page. */
const signsOfUse = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/**
 * Hydrates an island (hydrated.tsx) on the first use of the page. If its files fail to load or the browser is too old,
 * the page stays in its form without client JS.
 */
export function hydrateIsland<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): void {
  const begin = async () => {
    for (const sign of signsOfUse) document.removeEventListener(sign, begin);
    const loaded = await Promise.all([import('../hydrate-at-once.tsx'), load()]).catch(() => undefined);
    if (loaded) loaded[0].hydrateAtOnce(name, loaded[1]);
  };
  if (isSupportedBrowser()) for (const sign of signsOfUse) document.addEventListener(sign, begin);
}
