import './ui/menus.ts';
import './ui/quick-keys.ts';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { isAbleBrowser } from './ui/able-browser.ts';

if (isAbleBrowser()) startTransition(() => void hydrateRoot(document, <HydratedRouter />));
