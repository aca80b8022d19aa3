/** Loads shortcuts and menus on pages without other client JS. */
import './keys/menus.ts';
import './keys/quick-keys.ts';
