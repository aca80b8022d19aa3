import * as v from 'valibot';
import { screen } from '../lib/screen.ts';
import { Ticked } from '../lib/search.ts';

/** `wait`: the page that reloads itself. */
export const madeFile = screen('export/file', '/exports/:token', 'file', { token: v.string(), wait: Ticked });
