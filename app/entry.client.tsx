import './ui/menus.ts';
import './ui/quick-keys.ts';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { isAbleBrowser } from './ui/able-browser.ts';
import { keepAreas } from './ui/keep-areas.ts';

if (isAbleBrowser()) {
  keepAreas(document);
  startTransition(() => void hydrateRoot(document, <HydratedRouter />));
}
